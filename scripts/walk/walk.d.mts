export interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: string
}

export type Ask = (asked: Asked) => Promise<{ readonly status: number; readonly text: string }>

export interface Entered {
  readonly id: number
  /** Below the project, with slashes. */
  readonly path: string
  readonly name: string
  readonly line: number
}

export interface Watched {
  readonly ask: Ask
  /** Every call of a function while the work lasts, in order. */
  recorded<Result>(work: () => Promise<Result>): Promise<{
    readonly result: Result
    readonly entered: readonly Entered[]
  }>
  end(): Promise<void>
}

export declare function startWatched(options: {
  /** The actor of requests; `role:staff` when absent. */
  readonly as?: string
  /** Arguments of `serve` that name a service. */
  readonly service: readonly string[]
}): Promise<Watched>

export declare function walk(options: {
  readonly method: string
  readonly path?: string
  /** The actor of the request; `role:staff` when absent. */
  readonly as?: string
  readonly body?: string
  /** Arguments of `serve` that name a service; the storefront with its records when absent. */
  readonly service?: readonly string[]
  /** Asks the server once it runs, and gives the path. */
  readonly before?: (ask: Ask) => Promise<string>
}): Promise<{ readonly status: number; readonly entered: readonly Entered[] }>
