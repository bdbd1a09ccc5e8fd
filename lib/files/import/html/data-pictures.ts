// Pictures that a page holds as `data:` addresses become files, so that no text holds their bytes.

import type { AttachedFile } from '../file/format.ts'
import { isPicture, pictureName } from '../file/mime.ts'

const maxPictures = 300

const address = /data:image\/[a-z0-9.+-]{1,40}(?:;[a-z0-9=-]{1,40})*,[^"'\s<>)]*/gi

/** HTML with the names of files in place of such pictures, and these files. What is no picture is left out. */
export function takePictures(html: string): { html: string; pictures: AttachedFile[] } {
  const pictures = new Map<string, AttachedFile>()
  // Some programs break the lines of what is in base64.
  const joined = html.replace(
    /(src\s*=\s*")(data:image\/[^"]{0,100};base64,[^"]*)/gi,
    (_, start: string, data: string) => start + data.replace(/\s+/g, ''),
  )
  const plain = joined.replace(address, (data) => {
    const bytes = bytesOf(data)
    if (!bytes || !isPicture(bytes)) return ''
    const name = pictureName(bytes)
    if (!pictures.has(name) && pictures.size >= maxPictures) return ''
    pictures.set(name, { name, bytes })
    return name
  })
  return { html: plain, pictures: [...pictures.values()] }
}

function bytesOf(data: string): Uint8Array<ArrayBuffer> | null {
  const comma = data.indexOf(',')
  const content = data.slice(comma + 1)
  try {
    if (/;base64$/i.test(data.slice(0, comma)))
      return new Uint8Array(Buffer.from(decodeURIComponent(content), 'base64'))
    return new Uint8Array(Buffer.from(decodeURIComponent(content)))
  } catch {
    return null
  }
}
