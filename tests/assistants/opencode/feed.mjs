// Calls the hooks of a plugin as OpenCode does: node feed.mjs PLUGIN FOLDER < CALLS
// CALLS are lines {"label": HOOK, "stdin": {"input": ..., "output": ...} or EVENT}.
// Prints what became of each call's stdin.
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const [plugin, directory] = process.argv.slice(2)
const { OpenCodeMemory } = await import(pathToFileURL(plugin))
const hooks = await OpenCodeMemory({ directory, worktree: directory })
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const { label, stdin } = JSON.parse(line)
  if (label.startsWith("event.")) await hooks.event({ event: stdin })
  else await hooks[label]?.(stdin.input, stdin.output)
  console.log(JSON.stringify(stdin))
}
