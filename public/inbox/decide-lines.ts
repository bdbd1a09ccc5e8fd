/** As `decideMany`, which comes when several drafts are first decided at once. */
export async function decideLines(
  ...of: Parameters<typeof import('./decide-many.ts').decideMany>
): Promise<void> {
  const { decideMany } = await import('./decide-many.ts')
  await decideMany(...of)
}
