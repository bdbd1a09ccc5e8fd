/** Characters that are not what they look like, around what runs. */
export function unicodeTexts(): string[] {
  const characters = [
    '\u0000',
    '\u0008',
    '\u000c',
    '\u00a0',
    '\u00ad',
    '\u180e',
    '\u200b',
    '\u200d',
    '\u202e',
    '\u2066',
    '\u2028',
    '\ufeff',
    '\u{e0061}',
    '\ufffd',
  ]
  return [
    ...characters.map(
      (c) => `<${c}img src=x onerror=RUN><img${c}src=x onerror=RUN><img src=x onerror${c}=RUN>`,
    ),
    ...characters.map((c) => `[tap](java${c}script:RUN) <a href="${c}javascript:RUN">tap</a>`),
    '＜script＞RUN＜/script＞',
    '‹script›RUN‹/script›',
    '<ſcript>RUN</ſcript>',
    '<ımg src=x onerror=RUN>',
    '+ADw-script+AD4-RUN+ADw-/script+AD4-',
    '\u202e>tpircs/<NUR>tpircs<\u202c<img src=x onerror=RUN>',
    '[https://bank.example\u202e](https://attacker.invalid/RUN)',
    '\ud83d\ude00<img src=x onerror=RUN>\u200d\ud83d\ude00',
  ]
}
