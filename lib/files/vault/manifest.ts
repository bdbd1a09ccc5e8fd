// Document metadata that a folder of files cannot express, in one file at its top.

import { z } from 'zod'

/** Maximum bytes. */
const maxManifestBytes = 200 * 1024 * 1024

const documentEntry = z.object({
  title: z.string(),
  mime: z.string(),
  metadata: z.record(z.string(), z.json()),
  /** There was no original: the file is the text. */
  is_text: z.boolean().default(false),
})

const maxFolderLength = 1000
const maxFlagLength = 200
const maxFlags = 100
const maxPlaces = 100

/** A message's folder and its flags there. */
const mailPlace = z.object({
  folder: z.string().min(1).max(maxFolderLength),
  /** IMAP flags, such as `\\Seen`. */
  flags: z.array(z.string().min(1).max(maxFlagLength)).max(maxFlags),
})

const mailEntry = z.object({
  /** True if the owner sent it. */
  sent: z.boolean(),
  places: z.array(mailPlace).max(maxPlaces),
})

/** What of an entity its file has no room for. */
const noteEntry = z.object({ kind: z.string(), properties: z.record(z.string(), z.json()) })

const dates = z.tuple([z.iso.datetime(), z.iso.datetime()])

const vaultManifest = z.object({
  void: z.literal(1),
  space: z.object({
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    color: z.string().default('violet'),
    emoji: z.string().default(''),
    /** The owner's instructions to the companions. An import skips them: they may be someone else’s words. */
    instructions: z.string().default(''),
  }),
  documents: z.record(z.string(), documentEntry),
  /** By path; the file is the text as it is. */
  notes: z.record(z.string(), noteEntry).default({}),
  mail: z.record(z.string(), mailEntry).default({}),
  /** When each was created and updated, by path. */
  dates: z.record(z.string(), dates).default({}),
  /** Files that are a record of events rather than content: an import skips them. */
  records: z.array(z.string()).default([]),
})

export type DocumentEntry = z.output<typeof documentEntry>
export type NoteEntry = z.output<typeof noteEntry>
export type MailEntry = z.output<typeof mailEntry>
export type Dates = z.output<typeof dates>
export type VaultManifest = z.output<typeof vaultManifest>

/** The part within a manifest's limits: a server may name more. */
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
