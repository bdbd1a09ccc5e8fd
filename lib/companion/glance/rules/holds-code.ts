import { plainWords } from '../../../core/text/orders/plain-words.ts'

/**
 * Whether a mail holds what no person writes in one: markup that would run, pictures that would be loaded, long runs of
 * letters that stand for something else.
 */
export function holdsCode(text: string): boolean {
  const plain = plainWords(text)
  return codes.some((code) => code.test(plain))
}

const codes: readonly RegExp[] = [
  /<(?:script|iframe|object|embed)\b|<[a-z]{1,10}\s[^<>\n]{0,200}\bon[a-z]{3,20}\s{0,3}=|!\[[^\]\n]{0,100}\]\([^)\n]{0,300}\)/u,
  /(?<![\p{L}\p{N}/=+.?&_%#-])[a-z0-9+/]{40,}/u,
]
