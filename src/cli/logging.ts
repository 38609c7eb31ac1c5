/**
 * Where log lines go: standard error, as JSON or for people. LogTape because
 * it has no dependencies, and a logger that was not configured is silent.
 *
 * @module
 */
import {
  configure,
  getAnsiColorFormatter,
  getJsonLinesFormatter,
  type LogRecord,
} from "@logtape/logtape";
import type { Config } from "../config.ts";

/** Sends the program's log to standard error. */
export async function startLogging(config: Config): Promise<void> {
  const { STRONGROOM_LOG_FORMAT: format, STRONGROOM_LOG_LEVEL: level } = config;
  const pretty = format === "pretty" ||
    (format === "auto" && Deno.stderr.isTerminal());
  const json = getJsonLinesFormatter({ properties: "flatten" });
  const line = pretty ? prettyFormatter() : json;
  const encoder = new TextEncoder();
  await configure({
    reset: true,
    sinks: {
      stderr: (record) => {
        Deno.stderr.writeSync(encoder.encode(line(record)));
      },
    },
    loggers: [
      { category: ["strongroom"], lowestLevel: level, sinks: ["stderr"] },
      { category: ["logtape"], lowestLevel: "warning", sinks: ["stderr"] },
    ],
  });
}

/** LogTape's own line, with the properties behind the message. */
function prettyFormatter(): (record: LogRecord) => string {
  const format = getAnsiColorFormatter({ timestamp: "time" });
  return (record) => {
    const details = Object.entries(record.properties)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(" ");
    return format({
      ...record,
      message: [`${record.rawMessage.toString()} ${details}`],
    });
  };
}
