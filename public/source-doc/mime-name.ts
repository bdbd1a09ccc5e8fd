const names: Record<string, string> = {
  'application/pdf': 'PDF',
  'text/plain': 'Text',
  'text/markdown': 'Markdown',
  'text/csv': 'CSV',
  'text/html': 'HTML',
  'application/json': 'JSON',
  'application/zip': 'ZIP',
  'application/octet-stream': 'File',
}

/** A media type in a word. */
export function mimeName(mime: string): string {
  return names[mime] ?? (mime.split('/')[1] ?? mime).replace(/^x-|\+.*$/g, '').toUpperCase()
}

/** Types that the server sends as images; the others come as text or as a download. */
export const isImage = (mime: string): boolean => /^image\/(png|jpeg|gif|webp|avif)$/.test(mime)

export const isPlainText = (mime: string): boolean => mime === 'text/plain'
