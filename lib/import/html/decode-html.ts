import { cleanText } from '../../text/clean.ts'
import { decodeText } from '../file/decode.ts'

/** HTML as text: by its byte order mark, as UTF-8, or by the encoding that it names. `null`: it is no text. */
export function decodeHtml(bytes: Uint8Array): string | null {
  const decoded = decodeText(bytes)
  if (decoded && decoded.encoding !== 'windows-1252') return decoded.text

  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2048))
  const label = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(start)?.[1]
  try {
    return label ? cleanText(new TextDecoder(label).decode(bytes)) : (decoded?.text ?? null)
  } catch {
    return decoded?.text ?? null
  }
}
