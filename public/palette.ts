import type { App } from './app.ts'

/** Search over everything, from anywhere. */
export function showPalette(app: App): void {
  app.navigate('/search')
}
