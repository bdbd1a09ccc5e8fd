// What a folder of files cannot say of the documents in it, in one file at its top.

import { z } from 'zod'

export const manifestName = 'void.json'

/** Bytes that it may have. */
const maxManifestBytes = 200 * 1024 * 1024

const documentEntry = z.object({
  title: z.string(),
  mime: z.string(),
  metadata: z.record(z.string(), z.json()),
  /** There was no original: the file is the text. */
  is_text: z.boolean(),
})

const vaultManifest = z.object({
  void: z.literal(1),
  space: z.object({ slug: z.string(), name: z.string(), description: z.string() }),
  documents: z.record(z.string(), documentEntry),
  /** Files that are a record of what happened, and no content: an import leaves them out. */
  records: z.array(z.string()).default([]),
})

export type DocumentEntry = z.output<typeof documentEntry>
export type VaultManifest = z.output<typeof vaultManifest>

/** `null` for a file that only has its name. */
export function readManifest(bytes: Uint8Array): VaultManifest | null {
  if (bytes.length > maxManifestBytes) return null
  try {
    return vaultManifest.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null
  } catch {
    return null
  }
}
