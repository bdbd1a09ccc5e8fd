import { explainFailure } from '../console.ts'
import { wantsHelp } from './wants-help.ts'

/** Arguments that are no command; the message says what is wrong with them. */
export class UsageError extends Error {}

type Command = {
  usage: string
  /** Begins the sentence about a failure. */
  failure: string
  /** Exit code of a failure. Default: 1. */
  failureCode?: number
}

/**
 * Runs a command with the arguments of this process and sets the exit code: what `run` resolves to, 0 for help, 2 for wrong
 * arguments, which are explained with the usage. A failure that a person can do something about is a sentence.
 */
export async function runCommand(
  { usage, failure, failureCode = 1 }: Command,
  run: (args: string[]) => Promise<number | undefined>,
): Promise<void> {
  const args = process.argv.slice(2)
  if (wantsHelp(args)) {
    console.log(usage)
    return
  }
  try {
    process.exitCode = (await run(args)) ?? 0
  } catch (error) {
    process.exitCode = isUsage(error) ? 2 : failureCode
    const reason = isUsage(error) ? `${error.message}\n\n${usage}` : explainFailure(error)
    if (reason === null) throw error
    console.error(isUsage(error) ? reason : `${failure} ${reason}`)
  }
}

/** Also as `parseArgs` of Node throws it. */
function isUsage(error: unknown): error is Error {
  if (error instanceof UsageError) return true
  return error instanceof TypeError && String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS')
}

/** For a command that takes none. */
export function refuseArguments(args: readonly string[]): void {
  if (args.length > 0) throw new UsageError(`It takes no arguments, and was given ${args.join(' ')}.`)
}
