import { isHidden } from '../check-path.ts'
import { baseName, extensionOf } from '../file-name.ts'

const longest = 120

/** Gives attachments names to lie under in one folder: no two alike, none that leads out or hides. */
export function createAttachmentNames(): (given: string | undefined, contentType: string) => string {
  const taken = new Set<string>()

  return (given, contentType) => {
    const plain = baseName((given ?? '').replaceAll('\\', '/'))
      .replace(/[\p{Cc}[\]|#^<>:"?*]/gu, '-')
      .trim()
      .replace(/^\.+/, '')
    const ending = extensionOf(plain).slice(0, 20)
    const usable = plain === '' || isHidden(plain) ? `attachment${endingOf(contentType)}` : plain
    const stem = usable.slice(0, usable.length - extensionOf(usable).length).slice(0, longest)
    const end = extensionOf(usable) === ending ? ending : extensionOf(usable)

    let name = stem + end
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${stem} (${number})${end}`
    taken.add(name.toLowerCase())
    return name
  }
}

const endings: Record<string, string> = {
  'application/pdf': '.pdf',
  'image/gif': '.gif',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'message/rfc822': '.eml',
  'text/calendar': '.ics',
  'text/html': '.html',
  'text/plain': '.txt',
}

const endingOf = (contentType: string) => endings[contentType.toLowerCase()] ?? ''
