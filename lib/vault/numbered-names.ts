/**
 * Finds free names: the first of `stem`, `stem (2)`, `stem (3)` … that is not taken. It goes on from the last number of a
 * key (what is alike: the folder, the stem, the extension), so that of many alike each takes the same time.
 */
export function createNumberedNames() {
  const last = new Map<string, number>()

  return (key: string, stem: string, isTaken: (name: string) => boolean): string => {
    let number = last.get(key) ?? 1
    let name = number === 1 ? stem : `${stem} (${number})`
    while (isTaken(name)) name = `${stem} (${++number})`
    last.set(key, number)
    return name
  }
}
