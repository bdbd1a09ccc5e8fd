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

const maxFolderLength = 1000
const maxFlagLength = 200
const maxFlags = 100
const maxPlaces = 100

/** A folder that a message lay in, and how it was marked there. */
const mailPlace = z.object({
  folder: z.string().min(1).max(maxFolderLength),
  /** As IMAP names them, such as `\\Seen`. */
  flags: z.array(z.string().min(1).max(maxFlagLength)).max(maxFlags),
})

const mailEntry = z.object({
  /** Whether the owner sent it. */
  sent: z.boolean(),
  places: z.array(mailPlace).max(maxPlaces),
})

const vaultManifest = z.object({
  void: z.literal(1),
  space: z.object({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    color: z.string().default('violet'),
    emoji: z.string().default(''),
    /** Of its owner to the companions. An import leaves them alone: they may be someone else’s words. */
    instructions: z.string().default(''),
  }),
  documents: z.record(z.string(), documentEntry),
  mail: z.record(z.string(), mailEntry).default({}),
  /** Files that are a record of what happened, and no content: an import leaves them out. */
  records: z.array(z.string()).default([]),
})

export type DocumentEntry = z.output<typeof documentEntry>
export type MailEntry = z.output<typeof mailEntry>
export type VaultManifest = z.output<typeof vaultManifest>

/** What is within the bounds of a manifest: a server may name more. */
export const boundEntry = ({ sent, places }: MailEntry): MailEntry => ({
  sent,
  places: places.slice(0, maxPlaces).map(({ folder, flags }) => ({
    folder: folder.slice(0, maxFolderLength),
    flags: flags.filter((flag) => flag !== '' && flag.length <= maxFlagLength).slice(0, maxFlags),
  })),
})

/** `null` for a file that only has its name. */
export function readManifest(bytes: Uint8Array): VaultManifest | null {
  if (bytes.length > maxManifestBytes) return null
  try {
    return vaultManifest.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null
  } catch {
    return null
  }
}
