import type { FileBytes } from './format.ts'

/** Bytes a file may have. */
export const largestFile = 50 * 1024 * 1024

/** A file on its way in, or the reason why it was not even read. */
export type SourceFile = FileBytes | { path: string; skip: string }

const megabyte = 1024 * 1024

/** Why a file of this size stays out. */
export const tooLarge = (size: number): string =>
  `it has ${Math.ceil((size / megabyte) * 10) / 10} MB; the limit is ${largestFile / megabyte} MB`
