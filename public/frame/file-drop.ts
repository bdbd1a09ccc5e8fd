import type { App } from '../app/app.ts'

/** Imports files that are dropped outside any other drop target. */
export function addFileDrop(app: App): void {
  const isFiles = (event: DragEvent) => !event.defaultPrevented && event.dataTransfer?.types.includes('Files')
  addEventListener('dragover', (event) => isFiles(event) && event.preventDefault())
  addEventListener('drop', (event) => {
    if (!isFiles(event)) return
    event.preventDefault()
    // The transfer is empty once its event has ended; entries and files last.
    const items = [...event.dataTransfer!.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
    const files = [...event.dataTransfer!.files]
    void import('../settings/import/import-drop.ts').then(({ importDrop }) => importDrop(app, items, files))
  })
}
