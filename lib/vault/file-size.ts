/** Of a file that is read at once. */
export const maxFileBytes = 50 * 1024 * 1024

/** Bytes of an archive or a mailbox, which is read piece by piece. */
export const maxContainerBytes = 20 * 1024 * 1024 * 1024

const megabyte = 1024 * 1024

/** Why a file of this size stays out. */
export const tooLarge = (size: number): string =>
  `it has ${Math.ceil((size / megabyte) * 10) / 10} MB; the limit is ${maxFileBytes / megabyte} MB`
