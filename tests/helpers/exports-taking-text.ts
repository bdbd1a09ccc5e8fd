// The exported functions of some folders that take text, found in the source, so that a new one is found by itself.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type TextFunction = { file: string; name: string; parameters: string[] }

const declared = /^export (async )?(?:function(\*)? |const )(\w+)(?: = (?:async )?)?(?:<[^>]*>)?\(([^)]*)\)/gm
const holdsText = /\b(?:string|Uint8Array|Buffer|FileBytes|MailHeaders)\b/

export function exportsTakingText(folders: readonly string[]): TextFunction[] {
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(declared)].flatMap(([, , , name = '', parameters = '']) =>
        holdsText.test(parameters) ? { file, name, parameters: parametersOf(parameters) } : [],
      ),
    )
}

/** Outside of brackets. */
function parametersOf(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const sign of text.replace(/\s+/g, ' ')) {
    if ('{[<('.includes(sign)) depth++
    if ('}]>)'.includes(sign)) depth--
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim()).filter(Boolean)
}

/**
 * A run of the function on a text: the text for each parameter that is one, its lines for a list of texts; `null` where
 * a parameter is neither nor left out.
 */
export async function loadRun({ file, name, parameters }: TextFunction) {
  const makers = parameters.flatMap((parameter) => {
    // Without the brackets of a destructured one.
    const bare = parameter.replace(/\{.*\}/g, '')
    return /\?:|=/.test(bare)
      ? []
      : [makerOf[/: (?:readonly )?([^|]*?)(?: \| (?:null|undefined))?$/.exec(bare)?.[1] ?? '']]
  })
  if (makers.some((make) => make === undefined)) return null
  const module: Record<string, unknown> = await import(pathToFileURL(file).href)
  const called = module[name]
  if (typeof called !== 'function') return null
  return (text: string) => {
    const given = makers.map((make) => make!(text))
    return () => called(...given) as unknown
  }
}

const makerOf: Record<string, ((text: string) => unknown) | undefined> = {
  string: (text) => text,
  'string[]': (text) => text.split(/(?<=\n)/),
  'ReadonlySet<string>': (text) => new Set(text.split(/(?<=\n)/)),
  Uint8Array: (text) => Buffer.from(text),
  Buffer: (text) => Buffer.from(text),
  Date: () => new Date(0),
  number: () => 100,
}
