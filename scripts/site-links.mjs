// Links of a built site that lead to no file or no heading. Addresses on the web are not looked at.
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { join, posix } from "node:path"

/** @returns the number of pages and links, and the dead links with their reasons */
export function findDeadLinks(folder) {
  const files = globSync("**/*.html", { cwd: folder }).map((file) => file.replaceAll("\\", "/"))
  const pages = new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]))
  const ids = new Map([...pages].map(([file, html]) => [file, valuesOf(html, "id")]))
  let links = 0
  const dead = [...pages].flatMap(([file, html]) =>
    [...valuesOf(html, "href"), ...valuesOf(html, "src")].flatMap((link) => {
      if (/^[a-z]+:|^\/\//.test(link)) return []
      links += 1
      const [path, fragment] = link.split("#").map((part) => decodeURIComponent(part))
      const target = targetOf(folder, file, path)
      if (!target) return [`${file}: ${link} is not there`]
      const known = !fragment || !ids.has(target) || ids.get(target).has(fragment)
      return known ? [] : [`${file}: ${link} has no such heading`]
    }),
  )
  return { pages: pages.size, links, dead }
}

const valuesOf = (html, name) =>
  new Set(
    [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value]) =>
      value.replaceAll("&amp;", "&"),
    ),
  )

/** The file that a server sends for the path, below the folder. */
function targetOf(folder, from, path) {
  if (path === "") return from
  const whole = path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(from), path)
  const file = whole === "" || whole.endsWith("/") || whole === "." ? posix.join(whole, "index.html") : whole
  return [file, `${file}.html`].find(
    (each) => existsSync(join(folder, each)) && statSync(join(folder, each)).isFile(),
  )
}
