// How the app of a vault shows texts and where it keeps daily notes, by the settings in the vault. They are read and not
// imported.

import { cleanLine } from '../../../core/text/clean.ts'
import { isVaultSettings } from '../../../core/text/paths.ts'

const logseqConfig = /(?:^|\/)logseq\/config\.edn$/

/** Whether single line breaks are breaks there; `null`: the file says nothing about it. */
function showsLineBreaks({ path, bytes }: { path: string; bytes: Uint8Array }): boolean | null {
  if (logseqConfig.test(path)) return true
  if (!isVaultSettings(path)) return null
  return !path.endsWith('/app.json') || !isStrict(bytes)
}

/** Obsidian's setting "Strict line breaks". */
function isStrict(bytes: Uint8Array): boolean {
  return /"strictLineBreaks"\s*:\s*true/.test(new TextDecoder().decode(bytes.subarray(0, 100_000)))
}

/** Where the daily notes and templates of a vault are; what it does not say is left out. */
type VaultNotes = {
  /** A folder of the vault; empty: its top. */
  daily_parent?: string
  daily_title?: string
  daily_template?: string
  templates_page?: string
}

/** What the settings of a vault say; `lineBreaks` is null where they say nothing of them. */
export type VaultApp = { lineBreaks: boolean | null; notes: VaultNotes }

/** As imported journals are called; see `logseqNames`. */
const journalTitle = 'MMM Do, YYYY'

const maxSettings = 100_000

/** Of Obsidian's settings, and of Logseq's, whose journals have a folder of their own. */
function notesOf({ path, bytes }: { path: string; bytes: Uint8Array }): VaultNotes {
  const text = new TextDecoder().decode(bytes.subarray(0, maxSettings))
  if (logseqConfig.test(path)) return { daily_parent: 'journals', daily_title: journalTitle }
  const isDaily = path.endsWith('/.obsidian/daily-notes.json') || path === '.obsidian/daily-notes.json'
  const isTemplates = path.endsWith('.obsidian/templates.json')
  if (!isDaily && !isTemplates) return {}
  const { folder, format, template } = readStrings(text)
  if (isTemplates) return folder ? { templates_page: lastOf(folder) } : {}
  return {
    daily_parent: folder ?? '',
    ...(format ? { daily_title: format } : {}),
    ...(template ? { daily_template: lastOf(template.replace(/\.md$/i, '')) } : {}),
  }
}

/** The texts of a JSON object that can be a setting; a path without slashes at its ends. */
function readStrings(text: string): Record<string, string | undefined> {
  try {
    const value: unknown = JSON.parse(text)
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return Object.fromEntries(
      entries.flatMap(([name, each]) =>
        typeof each === 'string'
          ? [
              [
                name,
                cleanLine(each)
                  .replace(/^\/|\/$/g, '')
                  .slice(0, 100),
              ],
            ]
          : [],
      ),
    )
  } catch {
    return {}
  }
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/**
 * Files as they come; `seen` is what they say together: of several vaults, or settings, one that denies line breaks decides,
 * and the first that says it of notes.
 */
export async function* readVaultApp<Each extends { path: string }>(
  files: AsyncIterable<Each>,
  seen: VaultApp,
): AsyncGenerator<Each> {
  for await (const file of files) {
    const { path } = file
    const settings = 'bytes' in file && file.bytes instanceof Uint8Array ? { path, bytes: file.bytes } : null
    const said = settings && showsLineBreaks(settings)
    if (said !== null) seen.lineBreaks = said && seen.lineBreaks !== false
    if (settings) seen.notes = { ...notesOf(settings), ...seen.notes }
    yield file
  }
}
