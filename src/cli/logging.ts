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
  const line = pretty ? prettyFormatter() : jsonFormatter();
  const write = gatheringWriter();
  await configure({
    reset: true,
    sinks: {
      stderr: (record) => write(line(record), record.level === "error"),
    },
    loggers: [
      { category: ["strongroom"], lowestLevel: level, sinks: ["stderr"] },
      { category: ["logtape"], lowestLevel: "warning", sinks: ["stderr"] },
    ],
  });
}

/** Lines wait at most this long to be written together (ms). */
const GATHER_MS = 100;
const GATHER_CHARACTERS = 32 * 1024;

/**
 * Writes lines to standard error a few at a time: a system call per request
 * is dearer than everything else that logging does. What is urgent, and what
 * is left when the program ends, is written at once.
 */
function gatheringWriter(): (line: string, urgent: boolean) => void {
  const encoder = new TextEncoder();
  let gathered = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const bytes = encoder.encode(gathered);
    gathered = "";
    let at = 0;
    while (at < bytes.length) at += Deno.stderr.writeSync(bytes.subarray(at));
  };
  globalThis.addEventListener("unload", flush);
  return (line, urgent) => {
    gathered += line;
    if (urgent || gathered.length > GATHER_CHARACTERS) return flush();
    timer ??= setTimeout(flush, GATHER_MS);
  };
}

/**
 * LogTape's own lines. It looks into every value for what JSON cannot hold; a
 * line of plain values, as each request's is, needs none of that and is made in
 * little more than half the time.
 */
function jsonFormatter(): (record: LogRecord) => string {
  const careful = getJsonLinesFormatter({ properties: "flatten" });
  return (record) => {
    const { properties, category, level, message, timestamp } = record;
    const [text] = message;
    if (message.length !== 1 || typeof text !== "string" || !isPlain(text)) {
      return careful(record);
    }
    for (const name in properties) {
      if (!isPlain(properties[name])) return careful(record);
    }
    const line = {
      "@timestamp": new Date(timestamp).toISOString(),
      level: LEVELS[level],
      message: text,
      logger: category.join("."),
      ...properties,
    };
    return `${JSON.stringify(line)}\n`;
  };
}

const LEVELS: Readonly<Record<LogRecord["level"], string>> = {
  trace: "TRACE",
  debug: "DEBUG",
  info: "INFO",
  warning: "WARN",
  error: "ERROR",
  fatal: "FATAL",
};

function isPlain(value: unknown): boolean {
  if (typeof value === "string") return PRINTABLE.test(value);
  return typeof value === "boolean" || Number.isFinite(value);
}

/** Other characters may be a terminal's commands: LogTape escapes those. */
const PRINTABLE = /^[\x20-\x7e]*$/;

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
