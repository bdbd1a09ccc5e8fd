// Notes of Dendron write `[[label|target]]`, with the vault before the target where there are several. They are known by
// the front matter that it gives to each, or by its file `dendron.yml` in a folder above them.

import { folderOf } from '../paths.ts'

const fields = [
  /^id:/m,
  /^title:/m,
  /^desc:/m,
  /^updated:[ \t]*\d{9,14}[ \t]*$/m,
  /^created:[ \t]*\d{9,14}[ \t]*$/m,
]

export const dendronFile = 'dendron.yml'

/** Whether the wikilinks of a note say the label first. `yaml`: its front matter. */
export const isLabelFirst = (yaml: string): boolean =>
  fields.every((field) => field.test(yaml.slice(0, 20_000)))

/** The paths at which Dendron's own file may lie for a note, the nearest first. */
export function dendronPaths(path: string): string[] {
  const paths: string[] = []
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    paths.push(folder + dendronFile)
    if (folder === '') return paths
  }
}

/** Where the target begins in what stands for it: behind the name of a vault. */
export const targetStart = (written: string): number =>
  /^dendron:\/\/[^/]{0,200}\//.exec(written)?.[0].length ?? 0
