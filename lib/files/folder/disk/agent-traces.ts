// What coding agents leave in a folder that they work in: reason to offer a review of what changes there.

import { codeOf, type Disk } from './disk.ts'

/** Names at the top of a folder, with the program that reads or writes them. */
const traces = {
  '.claude': 'Claude Code',
  'CLAUDE.md': 'Claude Code',
  'CLAUDE.local.md': 'Claude Code',
  '.cursor': 'Cursor',
  '.cursorrules': 'Cursor',
  '.codex': 'Codex',
  '.gemini': 'Gemini CLI',
  'GEMINI.md': 'Gemini CLI',
  '.aider.chat.history.md': 'Aider',
  '.windsurf': 'Windsurf',
  '.clinerules': 'Cline',
  '.opencode': 'OpenCode',
  '.github/copilot-instructions.md': 'GitHub Copilot',
  'AGENTS.md': 'coding agents',
} as const

/** Each as its name and the program, such as `.claude (Claude Code)`. What cannot be looked at is left out. */
export async function findAgentTraces(disk: Disk): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(traces).map(async ([name, program]) => {
      try {
        return (await disk.stat(name)) === null ? [] : [`${name} (${program})`]
      } catch (error) {
        if (codeOf(error) === '') throw error
        return []
      }
    }),
  )
  return found.flat()
}
