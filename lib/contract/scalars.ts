// Scalar types of the API.

import { z } from 'zod'

export const id = z.uuid()

/** UTC, in the format of `toISOString`. */
export const time = z.iso.datetime()

/** Maximum value of a Postgres `integer`. */
export const maxInteger = 2_147_483_647

export const version = z.int().min(1).max(maxInteger)

export const count = z.int().min(0)

/** `owner`, `agent:<slug>`, `system:<name>`. */
export const actor = z.string()

/** Fields of a row or payload of any kind. */
export const fields = z.record(z.string(), z.unknown())

export const too_complex = z
  .boolean()
  .describe('`true` if a text is too complex to process in full within the time and memory limits')
