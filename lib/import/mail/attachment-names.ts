import { isHidden } from '../../vault/check-path.ts'
import { baseName, extensionOf } from '../../vault/file-name.ts'
import { createNumberedNames } from '../../vault/numbered-names.ts'

const maxStemLength = 120

/** Gives attachments names to lie under in one folder: no two alike, none that leads out or hides. */
export function createAttachmentNames(): (given: string | undefined, contentType: string) => string {
  const taken = new Set<string>()
  const nextName = createNumberedNames()

  return (given, contentType) => {
    const plain = baseName((given ?? '').replaceAll('\\', '/'))
      .replace(/[\p{Cc}[\]|#^<>:"?*]/gu, '-')
      .trim()
      .replace(/^\.+/, '')
    const ending = extensionOf(plain).slice(0, 20)
    const usable = plain === '' || isHidden(plain) ? `attachment${endingOf(contentType)}` : plain
    const stem = usable.slice(0, usable.length - extensionOf(usable).length).slice(0, maxStemLength)
    const end = extensionOf(usable) === ending ? ending : extensionOf(usable)

    const name = nextName(stem + end, stem, (name) => taken.has((name + end).toLowerCase())) + end
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
