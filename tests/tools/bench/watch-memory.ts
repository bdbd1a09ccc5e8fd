const pollMs = 50
const megabyte = 1024 ** 2

/** What this process grows by from here on, at the most so far, in MB. To be ended. */
export function watchMemory() {
  global.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const grown = () => {
    most = Math.max(most, process.memoryUsage.rss())
    return Math.round((most - before) / megabyte)
  }
  const look = setInterval(grown, pollMs)
  return {
    grown,
    end() {
      clearInterval(look)
      return grown()
    },
  }
}
