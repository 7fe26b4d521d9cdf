// Tells the launcher `ocm/run` what happens in a session, one JSON event a process, and
// the model what it answers. Without gitmem nothing happens; nothing here throws or waits
// for long.
import { execFile } from "node:child_process"
import { homedir } from "node:os"
import { basename, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const CHECKPOINT = "opencodememory_ocm__checkpoint"
const LONGEST_WAIT = 10_000 // milliseconds
const IN_REPOSITORY =
  'd=.git; [ -d $d ] || d=$(git -c safe.bareRepository=explicit rev-parse --git-common-dir 2>/dev/null); [ ! -x "$d/ocm/run" ] || exec "$d/ocm/run" "$@"'
const OF_USER = 'r=${OCM_HOME:-$HOME/.openCodeMemory}/ocm/run; [ ! -x "$r" ] || exec "$r" user "$@"'

// Runs the launcher, and resolves to the text that it answers; once it took too long,
// never again.
let isStuck = false
const run = (script, directory, verb, event) =>
  new Promise((done) => {
    if (isStuck) return done("")
    const env = { ...process.env, CLAUDE_PROJECT_DIR: directory } // not that of another
    const options = { cwd: directory, env, timeout: LONGEST_WAIT, killSignal: "SIGKILL" }
    const child = execFile("sh", ["-c", script, "sh", verb, "opencode"], options, (error, answer) => {
      isStuck ||= Boolean(error?.killed)
      try { done(JSON.parse(answer).text) } catch { done("") }
    })
    child.stdin.on("error", () => {}).end(JSON.stringify(event))
  })

// What a tool read: a file, or what a shell command names.
const read = (tool, { filePath, path, command }) => {
  if (tool === "bash") return { command }
  if (tool === "read" || tool === "grep") return { file_path: filePath ?? path ?? "" }
}

// The files that a tool changed.
const edited = (tool, args, metadata) => {
  if (tool === "write" || tool === "edit") return [args.filePath]
  if (tool !== "apply_patch") return []
  return metadata.files.flatMap(({ filePath, movePath }) => (movePath ? [filePath, movePath] : [filePath]))
}

export const OpenCodeMemory = async ({ directory }) => {
  const folder = basename(resolve(fileURLToPath(import.meta.url), "..", ".."))
  const script = folder === ".opencode" ? IN_REPOSITORY : OF_USER
  const data = join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "opencode")
  const transcript = resolve(data, process.env.OPENCODE_DB || "opencode.db")

  const parents = new Map() // of the sessions of subagents
  const created = new Set() // sessions that are new
  const briefs = new Map() // promises, by session; no request to the model keeps one
  const compacting = new Set()
  const said = new Map() // the last answer, by session
  const notices = new Map() // for the next prompt, by session

  // Events are told one after the other.
  let queue = Promise.resolve("")
  const send = (verb, type, sessionID, more) =>
    run(script, directory, verb, { type, sessionID, ...more, directory, transcript })
  const tell = (...event) => (queue = queue.then(() => send("hook", ...event)).catch(() => ""))
  const begin = (id, source) =>
    briefs.set(id, tell("experimental.chat.system.transform", id, { source })).get(id)
  const briefOf = (id) => briefs.get(id) ?? begin(id, created.has(id) ? "startup" : "resume")
  const rootOf = (id) => (parents.has(id) ? rootOf(parents.get(id)) : id)

  const events = {
    "session.created": ({ info }) => created.add(info.id),
    "session.compacted": ({ sessionID }) => {
      compacting.delete(sessionID)
      begin(sessionID, "compact")
    },
    "message.part.updated": ({ part }) => {
      if (part.type === "text" && part.time?.end && !part.synthetic) said.set(part.sessionID, part.text)
    },
    "session.idle": async ({ sessionID }) => {
      if (!briefs.has(sessionID)) return
      const notice = await tell("session.idle", sessionID, { last_answer: said.get(sessionID) ?? "" })
      if (notice) notices.set(sessionID, notice)
    },
  }

  const hooks = {
    event: ({ event: { type, properties } }) => {
      const { sessionID, info } = properties ?? {}
      if (info?.parentID && type.startsWith("session.")) parents.set(info.id, info.parentID)
      if (!parents.has(sessionID)) events[type]?.(properties)
    },
    "chat.message": async ({ sessionID }, { parts }) => {
      if (parents.has(sessionID)) return
      compacting.delete(sessionID)
      briefOf(sessionID)
      const typed = parts.filter((part) => part.type === "text" && !part.synthetic)
      if (!typed.length) return
      const prompt = typed.map((part) => part.text).join("\n\n")
      const told = [notices.get(sessionID), await tell("chat.message", sessionID, { prompt })]
      notices.delete(sessionID)
      const text = told.filter(Boolean).join("\n\n")
      const last = typed.at(-1)
      if (text) parts.push({ ...last, id: `${last.id}ocm`, text, synthetic: true })
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      const isTitle = system[0]?.startsWith("You are a title generator")
      if (!sessionID || parents.has(sessionID) || compacting.has(sessionID) || isTitle) return
      const brief = await briefOf(sessionID)
      if (brief) system.push(brief)
    },
    "experimental.session.compacting": ({ sessionID }) => {
      if (parents.has(sessionID)) return
      compacting.add(sessionID)
      tell("experimental.session.compacting", sessionID)
    },
    "tool.execute.before": ({ tool, sessionID }, { args }) => {
      if (tool === CHECKPOINT) args.session_id ||= rootOf(sessionID)
    },
    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      const root = rootOf(sessionID)
      const subagent = root === sessionID ? "" : sessionID
      const recall = async (type, event) => {
        const known = await send("recall", type, root, event)
        if (known) output.output += `\n\n${known}`
      }
      for (const file_path of edited(tool, args, output.metadata ?? {}))
        await recall("tool.execute.before", { tool, file_path, subagent })
      const named = read(tool, args)
      if (named) await recall("tool.read", { tool, ...named, subagent })
    },
    "shell.env": ({ sessionID }, { env }) => {
      if (sessionID) env.OPENCODE_SESSION_ID = rootOf(sessionID)
    },
    dispose: () => {
      const ended = queue.then(() => Promise.all([...briefs.keys()].map((id) => send("hook", "dispose", id))))
      return Promise.race([ended, new Promise((done) => setTimeout(done, LONGEST_WAIT).unref())])
    },
  }
  const quiet = (hook) => async (...given) => {
    try { await hook(...given) } catch {}
  }
  return Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, quiet(hook)]))
}
