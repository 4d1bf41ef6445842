// Written by "hookctl install" and taken away by "hookctl uninstall". Edits are overwritten.
import { spawn } from "node:child_process"

const program = ""

// The judges' 10 s and a transcript's 2 s, with room.
const timeout = 30000

// ask hands one event to hookctl and returns its answer, or nothing when it has
// none, is missing, fails or takes too long: none of that may stop the agent.
function ask(event) {
  return new Promise((resolve) => {
    try {
      const child = spawn(program, ["gate"], { stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      // spawn's own timeout would go on for a program that is missing, and keep the
      // agent from ending.
      const timer = setTimeout(() => child.kill(), timeout)
      child.on("exit", () => clearTimeout(timer))
      let out = ""
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (text) => (out += text))
      child.stdin.on("error", () => {})
      child.on("error", () => {
        clearTimeout(timer)
        resolve()
      })
      child.on("close", (code) => {
        try {
          resolve(code === 0 && out ? JSON.parse(out) : undefined)
        } catch {
          resolve()
        }
      })
      child.stdin.end(JSON.stringify(event))
    } catch {
      resolve()
    }
  })
}

// objection is why hookctl does not want what it was asked about. OpenCode cannot
// put a question to the user from here, so that "ask" is a no.
function objection(answer) {
  const said = answer?.hookSpecificOutput ?? {}
  const no = ["deny", "ask", "block"]
  if (no.includes(said.permissionDecision)) return said.permissionDecisionReason || "denied by hookctl"
  if (no.includes(answer?.decision)) return answer.reason || "denied by hookctl"
  return said.additionalContext
}

// lastMessage is what the assistant said last, if the session tells.
async function lastMessage(client, id) {
  try {
    const { data } = await client.session.messages({ path: { id } })
    const last = data.filter((m) => m.info.role === "assistant").at(-1)
    return last?.parts.filter((p) => p.type === "text").map((p) => p.text).join("\n")
  } catch {}
}

export const Hookctl = async ({ client, directory }) => {
  const base = (name, session) => ({ agent: "opencode", hook_event_name: name, session_id: session, cwd: directory })
  return {
    // The turn is over when this comes: hookctl can note what it sees, not hold it back.
    event: async ({ event }) => {
      if (event.type !== "session.idle") return
      const id = event.properties.sessionID
      await ask({ ...base("Stop", id), last_assistant_message: await lastMessage(client, id) })
    },
    "tool.execute.before": async (input, output) => {
      const why = objection(
        await ask({ ...base("PreToolUse", input.sessionID), tool_name: input.tool, tool_use_id: input.callID, tool_input: output.args }),
      )
      if (why) throw new Error(why)
    },
    "tool.execute.after": async (input, output) => {
      const why = objection(
        await ask({ ...base("PostToolUse", input.sessionID), tool_name: input.tool, tool_use_id: input.callID, tool_input: input.args }),
      )
      if (why) output.output = `${output.output ?? ""}\n\n${why}`
    },
  }
}
