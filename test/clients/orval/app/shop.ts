/** Sends what generated functions ask: `mutator` of orval.config.ts. */
export async function shop<Answer>(path: string, { headers, ...init }: RequestInit = {}): Promise<Answer> {
  const { url, authorization } = connection
  const all = new Headers(headers)
  all.set("authorization", authorization)
  const answer = await fetch(`${url}${path}`, { ...init, headers: all })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return (text === "" ? undefined : JSON.parse(text)) as Answer
}

export const connection = { url: "", authorization: "" }
