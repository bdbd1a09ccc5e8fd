export type Layer = {
  /** A folder of lib or public, or a file directly in it. */
  place: string
  /** The subfolders, bottom to top; '' is the files directly in it. Default: none. */
  inside?: readonly string[]
  /** Places below that it may import from, beside those that everything may. */
  uses: readonly string[]
}
