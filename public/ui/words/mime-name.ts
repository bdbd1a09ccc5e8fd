const names: Record<string, string> = {
  'application/pdf': 'PDF',
  'text/plain': 'Text',
  'text/markdown': 'Markdown',
  'text/csv': 'CSV',
  'text/html': 'HTML',
  'application/json': 'JSON',
  'application/x-canvas': 'Canvas',
  'application/zip': 'ZIP',
  'application/octet-stream': 'File',
  'application/msword': 'Word',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word',
  'application/vnd.ms-excel': 'Excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint',
  'application/vnd.oasis.opendocument.text': 'OpenDocument',
  'message/rfc822': 'Mail',
}

/** A media type in a word; one that has no short name is a `File`. */
export function mimeName(mime: string): string {
  const subtype = (mime.split('/')[1] ?? mime).replace(/^x-|\+.*$/g, '')
  return names[mime] ?? (subtype.length > 12 ? 'File' : subtype.toUpperCase())
}

/** Types that the server sends as images; the others come as text or as a download. */
export const isImage = (mime: string): boolean => /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/.test(mime)

export const isPlainText = (mime: string): boolean => mime === 'text/plain'
