// What of a folder is not looked at: what editors, file systems and other programs keep there for themselves, and what
// `.voidignore` names, in the language of .gitignore.

import { matchesName, matchesPath } from '../../../core/wildcards.ts'

/** Patterns without a slash match a name at any depth. */
const builtIn = [
  '.git .hg .svn .obsidian .logseq .trash .void .stfolder .stversions .dropbox* .sync node_modules',
  '*~ .*.sw? 4913 #*# .#* *.tmp *.part *.crdownload .~lock.*# ~$* .goutputstream-* .syncthing.*.tmp',
  '~syncthing~* .*.icloud ._* .DS_Store desktop.ini Thumbs.db ___jb_tmp___ ___jb_old___ .fuse_hidden* .nfs*',
  'sed?????? .~*',
]
  .join(' ')
  .split(' ')
  .concat('Icon\r')

/** The texts of two sides that another program found in conflict: shown as a conflict of their note. */
const conflictCopies = [
  '*.sync-conflict-*',
  '* (conflicted copy *)*',
  '* (*conflicted copy*)*',
  '*.conflicted:*',
  '*_conf(*)*',
]

const maxRules = 1000
const maxRuleLength = 500

type Rule = { segments: string[]; anchored: boolean; onlyFolders: boolean; ignores: boolean }

export type IgnoreRules = {
  /** Whether a file or a folder is left out; of a folder that is, everything in it is. */
  ignores(path: string, isFolder: boolean): boolean
}

/** `own`: the text of `.voidignore`. It can name what is left out by default no more: that stays. */
export function readIgnoreRules(own: string): IgnoreRules {
  const rules = [...builtIn.map((pattern) => readRule(pattern)), ...readLines(own)]
  const fixed = builtIn.length
  return {
    ignores(path, isFolder) {
      const segments = path.split('/')
      if (segments.at(-1)!.startsWith('.')) return true
      let ignored = false
      for (const [index, rule] of rules.entries()) {
        if (!rule || (rule.onlyFolders && !isFolder) || !matches(rule, segments)) continue
        if (index < fixed) return true
        ignored = rule.ignores
      }
      return ignored
    },
  }
}

function readLines(text: string): (Rule | null)[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return lines
    .slice(0, maxRules)
    .map((line) => (line.length > maxRuleLength ? null : readRule(line.trimEnd())))
}

function readRule(line: string): Rule | null {
  const ignores = !line.startsWith('!')
  const pattern = ignores ? line.replace(/^\\(?=[#!])/, '') : line.slice(1)
  const onlyFolders = pattern.endsWith('/')
  const plain = onlyFolders ? pattern.slice(0, -1) : pattern
  const anchored = plain.includes('/')
  const segments = plain.replace(/^\//, '').split('/')
  return plain === '' || plain === '/' ? null : { segments, anchored, onlyFolders, ignores }
}

const matches = ({ segments, anchored }: Rule, path: readonly string[]): boolean =>
  anchored ? matchesPath(segments, path) : matchesName(segments[0]!, path.at(-1)!)

/** The path of the note of which another program made this copy, when it found two texts of it in conflict; null: it is no copy. */
export function noteOfCopy(path: string): string | null {
  const from = path.lastIndexOf('/') + 1
  const name = path.slice(from)
  if (!conflictCopies.some((pattern) => matchesName(pattern, name))) return null
  const [conflicted, dot] = [name.lastIndexOf('.conflicted:'), name.lastIndexOf('.')]
  if (conflicted > 0) return path.slice(0, from + conflicted)
  const said = name.lastIndexOf('conflicted copy')
  const starts = [name.lastIndexOf('.sync-conflict-'), name.lastIndexOf('_conf(')]
  const start = Math.max(...starts, said < 0 ? -1 : name.lastIndexOf(' (', said))
  return path.slice(0, from) + name.slice(0, start) + name.slice(Math.max(dot, start))
}

/** Names that give orders to programs: a draft may not touch such a file unless the owner chose its path. */
const givesOrders = [
  'agent.md',
  'agents.md',
  'agents.override.md',
  'claude.md',
  'claude.local.md',
  'gemini.md',
  'qwen.md',
  'warp.md',
  'crush.md',
  'copilot-instructions.md',
  'skill.md',
  '.cursorrules',
  '*.instructions.md',
  '*.prompt.md',
  '*.agent.md',
  '*.chatmode.md',
]

export const isOrdersFile = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  return givesOrders.some((pattern) => matchesName(pattern, name))
}
