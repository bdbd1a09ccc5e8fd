// Tags: letters, digits, signs of emoji, `_` and `-`, nested by `/`, at least one of them no digit.

const maxTagLength = 100
const maxTagDepth = 10

const signs = String.raw`[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\u200d\ufe0f_/-]`
const notSigns = new RegExp(`(?:(?!${signs}).)+`, 'gsu')
const isTag = new RegExp(`^${signs}+$`, 'u')

/** `#tag` at the beginning or behind white space; group 1 is the tag. */
export const hashTag = new RegExp(String.raw`(?<![^\s])#(${signs}{1,${maxTagLength + 1}})(?!${signs})`, 'gu')

/** Bear's `#two words#`, closed since it has a space; group 1 is the tag, which is one word here. */
export const closedTag = /(?<!\S)#(?=[^#\n]{0,98} )([\p{L}\p{N}][^#\n]{0,98}[\p{L}\p{N}])#(?![^\s.,;:!?)])/gu

/** A closed tag as one word. */
export const joinTag = (tag: string): string => tag.trim().replace(/\s+/g, '-')

/** The beginning of a tag that is being written, at the end of a text. */
export const openTag = new RegExp(String.raw`(?<![^\s])#${signs}{0,${maxTagLength}}$`, 'u')

/** A tag as it is written, without `#` and needless slashes; `null` for what is no tag. */
export function cleanTag(written: string): string | null {
  if (written.length > maxTagLength + 1) return null
  const bare = written.trim().replace(/^#/, '')
  if (!isTag.test(bare)) return null
  const parts = bare.normalize('NFKC').split('/').filter(Boolean)
  const tag = parts.join('/')
  const isValid = /[^\p{N}/]/u.test(tag) && tag.length <= maxTagLength && parts.length <= maxTagDepth
  return isValid ? tag : null
}

/** The tag nearest to a name of another app, which may have spaces and signs: `lamp & oil` is `lamp-oil`. */
export function nameAsTag(name: string): string | null {
  const plain = name
    .trim()
    .replace(notSigns, '-')
    .replace(/^-+|-+$|-*(\/)-*/g, '$1')
  return cleanTag(/^[\p{N}/]+$/u.test(plain) ? `_${plain}` : plain)
}

/** The form in which tags are compared. */
export const tagKey = (tag: string): string => tag.normalize('NFKC').toLowerCase()

/** A tag and those that it is nested in, from the top: `a/b` is `a` and `a/b`. */
export function withParents(tag: string): string[] {
  const parts = tag.split('/').slice(0, maxTagDepth)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}
