import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FuzzRequest } from './make-request.ts'

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** A command that repeats the request; what is long or no plain text is put into a file of this folder. */
export function toCurl(url: string, request: FuzzRequest, folder: string, name: string): string {
  const { method, target, headers, body, raw } = request
  if (raw) {
    const file = join(folder, `${name}.http`)
    writeFileSync(file, raw)
    const { hostname, port } = new URL(url)
    return `nc -N ${hostname} ${port} < ${file}`
  }
  const parts = headers
    .filter(([header]) => header !== 'Host')
    .map(([header, value]) => `-H ${quote(`${header}: ${value}`)}`)
  return [
    method === 'HEAD' ? 'curl -sSI' : `curl -sS -N -m 20 -X ${method}`,
    ...parts,
    ...(body ? [`--data-binary ${bodyArgument(body, join(folder, `${name}.body`))}`] : []),
    '--path-as-is -g',
    quote(url + target),
  ].join(' ')
}

function bodyArgument(body: Buffer, file: string): string {
  const text = body.toString()
  if (body.length <= 2000 && /^[\x20-\x7e]*$/.test(text) && !text.startsWith('@')) return quote(text)
  writeFileSync(file, body)
  return `@${file}`
}
