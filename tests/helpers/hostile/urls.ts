/** Addresses that run script, under every disguise, in every place that takes an address. */
export function urlTexts(): string[] {
  return schemes.flatMap((url) => carriers.map((carry) => carry(url)))
}

const schemes = [
  'javascript:RUN',
  'JaVaScRiPt:RUN',
  ' javascript:RUN',
  'java\tscript:RUN',
  'java\nscript:RUN',
  '\u0001javascript:RUN',
  'javascript\u00a0:RUN',
  'javascript&colon;RUN',
  'javascript&#58;RUN',
  '&#106;&#97;&#118;&#97;script:RUN',
  '&#x6A&#x61&#x76&#x61script&#x3A;RUN',
  'java&Tab;script&NewLine;:RUN',
  'javascript://%0aRUN',
  'javascript:void(0);RUN//https://example.com/',
  '%6aavascript:RUN',
  'javascript%3aRUN',
  'vbscript:RUN',
  'data:text/html,<script>RUN</script>',
  'data:text/html;charset=utf-8,%3cscript%3eRUN%3c/script%3e',
  'DATA:image/svg+xml,<svg onload=RUN>',
  'view-source:javascript:RUN',
  'blob:javascript:RUN',
  'feed:javascript:RUN',
  'ｊavascript:RUN',
  '//attacker.invalid/RUN',
  'https:javascript:RUN',
  'http://example.com\u0000javascript:RUN',
]

const carriers: ((url: string) => string)[] = [
  (url) => `<a href="${url}">tap</a>`,
  (url) => `<a href=${url}>tap`,
  (url) => `<svg><a xlink:href="${url}"><text y=20>tap</text></a></svg>`,
  (url) => `<iframe src="${url}"></iframe>`,
  (url) => `<form action="${url}"><button>tap</button></form>`,
  (url) => `<button form=x formaction='${url}'>tap</button><form id=x></form>`,
  (url) => `<object data="${url}"></object><embed src="${url}">`,
  (url) => `<math><maction actiontype="statusline" href="${url}" xlink:href="${url}">tap</maction></math>`,
  (url) => `<base href="${url}"><a href="#">tap</a>`,
  (url) => `<meta http-equiv=refresh content="999;url=${url}">`,
  (url) => `[tap](${url})`,
  (url) => `[tap](<${url}> "title")`,
  (url) => `![tap](${url})`,
  (url) => `[![tap](${url})](${url})`,
  (url) => `[tap][to]\n\n[to]: ${url} "title"`,
  (url) => `<${url}>`,
  (url) => `[[${url}|tap]]`,
]
