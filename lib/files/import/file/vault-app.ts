// How the app of a vault shows texts, by the settings that it keeps in the vault. They are read and not imported.

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

/** Files as they come; `seen` is what they say together: of several vaults, or settings, one that denies it decides. */
export async function* readVaultApp<Each extends { path: string }>(
  files: AsyncIterable<Each>,
  seen: { lineBreaks: boolean | null },
): AsyncGenerator<Each> {
  for await (const file of files) {
    const { path } = file
    const said =
      'bytes' in file && file.bytes instanceof Uint8Array
        ? showsLineBreaks({ path, bytes: file.bytes })
        : null
    if (said !== null) seen.lineBreaks = said && seen.lineBreaks !== false
    yield file
  }
}
