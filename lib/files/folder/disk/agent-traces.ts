// What coding agents leave in a folder that they work in, or in a project within: reason to offer a review of what changes there.

import { type Disk, isOfDisk } from './disk.ts'

/** Names, with the program that reads or writes them. */
const traces: Readonly<Record<string, string>> = {
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
  'copilot-instructions.md': 'GitHub Copilot',
  'AGENTS.md': 'coding agents',
}

/** More of them say no more. */
const maxTraces = 20

/** Those among the names in a folder, which is `''` or ends in a slash. What cannot be looked at is left out. */
export async function findTraces(disk: Disk, folder: string, names: readonly string[]): Promise<string[]> {
  const found = names.filter((name) => Object.hasOwn(traces, name))
  if (names.includes(inGithub.folder) && (await isThere(disk, `${folder}${inGithub.path}`)))
    found.push(inGithub.path)
  return found.map((name) => `${folder}${name}`)
}

/** Many repositories have this folder, whoever works in them. */
const inGithub = { folder: '.github', path: '.github/copilot-instructions.md' }

async function isThere(disk: Disk, path: string): Promise<boolean> {
  try {
    return (await disk.stat(path)) !== null
  } catch (error) {
    if (!isOfDisk(error)) throw error
    return false
  }
}

/** Each as its path and the program, such as `.claude (Claude Code)`, those nearest to the top first. */
export const describeTraces = (paths: readonly string[]): string[] =>
  paths
    .toSorted((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
    .slice(0, maxTraces)
    .map((path) => `${path} (${traces[path.slice(path.lastIndexOf('/') + 1)]})`)

const depthOf = (path: string) => path.split('/').length
