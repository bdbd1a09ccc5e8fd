// What the shapes on the wire are made of.

import { z } from 'zod'

export const id = z.uuid()

/** In UTC, as `toISOString` writes it. */
export const time = z.iso.datetime()

/** The greatest `integer` of Postgres. */
export const maxInteger = 2_147_483_647

export const version = z.int().min(1).max(maxInteger)

export const count = z.int().min(0)

/** `owner`, `agent:<slug>`, `system:<name>`. */
export const actor = z.string()

/** The fields of a row or a payload, whatever its kind. */
export const fields = z.record(z.string(), z.unknown())

export const too_complex = z
  .boolean()
  .describe('Whether a text is too complex to show in full, within the limits of time and memory')
