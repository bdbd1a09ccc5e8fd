// Files for the import tests, made on the spot.

import yazl from 'yazl'

/** A PDF with one line of text a page. */
export function makePdf(pages: readonly string[]): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, index) => {
      const content = `BT /F1 12 Tf 72 720 Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R ` +
          '/Resources << /Font << /F1 3 0 R >> >> >>',
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const xref = text.length
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

type Content = string | Uint8Array

/** An archive; a file without a date is of March 2024. */
export async function makeZip(
  files: Record<string, Content> | readonly (readonly [string, Content])[],
  dates: Record<string, string> = {},
): Promise<Uint8Array> {
  const zip = new yazl.ZipFile()
  for (const [path, content] of Array.isArray(files) ? files : Object.entries(files)) {
    const mtime = new Date(dates[path] ?? '2024-03-01T10:00:00Z')
    zip.addBuffer(Buffer.from(content), path, { mtime })
  }
  zip.end()
  const parts: Buffer[] = []
  for await (const part of zip.outputStream) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

/** An archive; a file without a date is of 1970. */
export function makeTar(files: Record<string, Content>, dates: Record<string, string> = {}): Buffer {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content)
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000644\0', 100)
    header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
    const seconds = Math.floor(Date.parse(dates[name] ?? '1970-01-01T00:00:00Z') / 1000)
    header.write(`${seconds.toString(8).padStart(11, '0')}\0`, 136)
    header.write('        0ustar\u000000', 148)
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return Buffer.concat([...parts, Buffer.alloc(1024)])
}

/** Changes a name inside an archive to another of the same length: what no honest program writes. */
export function renameInZip(zip: Uint8Array, from: string, to: string): Uint8Array {
  if (from.length !== to.length) throw new Error('the names differ in length')
  return Buffer.from(Buffer.from(zip).toString('latin1').replaceAll(from, to), 'latin1')
}

/**
 * A Word document of paragraphs; one that begins with `# ` is a heading. Its pictures stand below them. With a `doctype`
 * `[entity]` is a reference to its entity `x`. `raw`: paragraphs as XML.
 */
export async function makeDocx(
  paragraphs: readonly string[],
  pictures: readonly Uint8Array[] = [],
  doctype = '',
  raw: readonly string[] = [],
): Promise<Uint8Array> {
  const inXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const body = paragraphs
    .map((text) => {
      const style = text.startsWith('# ') ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : ''
      return `<w:p>${style}<w:r><w:t>${inXml(text.replace(/^# /, ''))}</w:t></w:r></w:p>`
    })
    .concat(raw)
    .concat(pictures.map((_, index) => inlinePicture(`rId${10 + index}`)))
    .join('')
  return await makeZip({
    ...Object.fromEntries(pictures.map((bytes, index) => [`word/media/image${index}.png`, bytes])),
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>' +
      '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>' +
      '<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>' +
      '</Types>',
    '_rels/.rels':
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>' +
      '</Relationships>',
    'word/_rels/document.xml.rels':
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
      '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>' +
      pictures
        .map(
          (_, index) =>
            `<Relationship Id="rId${10 + index}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="media/image${index}.png"/>`,
        )
        .join('') +
      '</Relationships>',
    'word/styles.xml':
      '<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
      '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>',
    'word/document.xml':
      `<?xml version="1.0"?>${doctype}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">` +
      `<w:body>${doctype ? body.replaceAll('[entity]', '&x;') : body}</w:body></w:document>`,
  })
}

const inlinePicture = (id: string) =>
  '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">' +
  '<wp:docPr id="1" name="Picture" descr="The tower"/>' +
  '<a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData>' +
  '<pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill>' +
  `<a:blip xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:embed="${id}"/>` +
  '</pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'

export type MadeMessage = {
  id: string
  from?: string
  subject?: string
  date?: string
  inReplyTo?: string
  references?: string[]
  text?: string
  html?: string
  attachments?: Record<string, Content>
}

/** A message as it travels. */
export function makeMessage(message: MadeMessage): string {
  const { id, from = 'Ada <ada@skerry.example>', subject = 'Oil', date = '2024-03-01T10:00:00Z' } = message
  const { inReplyTo, references = [], text, html, attachments = {} } = message
  const parts = [
    ...(text === undefined ? [] : [`Content-Type: text/plain; charset=utf-8\n\n${text}`]),
    ...(html === undefined ? [] : [`Content-Type: text/html; charset=utf-8\n\n${html}`]),
    ...Object.entries(attachments).map(
      ([name, content]) =>
        `Content-Type: application/octet-stream; name="${name}"\nContent-Disposition: attachment; filename="${name}"\n` +
        `Content-Transfer-Encoding: base64\n\n${Buffer.from(content).toString('base64')}`,
    ),
  ]
  return [
    `Message-ID: <${id}>`,
    `From: ${from}`,
    'To: Grace <grace@skerry.example>',
    `Subject: ${subject}`,
    `Date: ${new Date(date).toUTCString()}`,
    ...(inReplyTo ? [`In-Reply-To: <${inReplyTo}>`] : []),
    ...(references.length > 0 ? [`References: ${references.map((one) => `<${one}>`).join('\n ')}`] : []),
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="part"',
    '',
    ...parts.map((part) => `--part\n${part}`),
    '--part--',
    '',
  ].join('\n')
}

export const makeMbox = (messages: readonly MadeMessage[]): string =>
  messages
    .map(
      (message) =>
        `From ada@skerry.example Fri Mar  1 10:00:00 2024\n${makeMessage(message).replace(/^(>*From )/gm, '>$1')}\n`,
    )
    .join('')
