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
  getTextFormatter,
  type LogRecord,
} from "@logtape/logtape";
import type { Config } from "../config.ts";
import { isJournal, withSeverity } from "./journal.ts";

/** How lines of the log look. */
export type LogStyle = "pretty" | "json";

/** The style that a format's name stands for. */
export function logStyle(format: string): LogStyle {
  if (format === "pretty" || format === "json") return format;
  return Deno.stderr.isTerminal() ? "pretty" : "json";
}

/** Sends the program's log to standard error. */
export async function startLogging(config: Config): Promise<void> {
  const { STRONGROOM_LOG_FORMAT: format, STRONGROOM_LOG_LEVEL: level } = config;
  const line = logStyle(format) === "pretty"
    ? prettyFormatter()
    : jsonFormatter();
  const write = gatheringWriter();
  const journal = isJournal();
  await configure({
    reset: true,
    sinks: {
      stderr: (record) =>
        write(
          withSeverity(line(record), record.level, journal),
          record.level === "error",
        ),
    },
    loggers: [
      { category: ["strongroom"], lowestLevel: level, sinks: ["stderr"] },
      { category: ["logtape"], lowestLevel: "warning", sinks: ["stderr"] },
    ],
  });
}

/**
 * What the server says beside its log, that it started or why it ended: in a
 * log of JSON a line of that, as the log's own are, else the words.
 */
export function spoken(
  words: string,
  level: "info" | "fatal",
  style: LogStyle,
  now: number,
): string {
  if (style === "pretty") return words;
  const line = {
    "@timestamp": new Date(now).toISOString(),
    level: LEVELS[level],
    message: words,
    logger: "strongroom",
  };
  return JSON.stringify(line);
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
  // https://no-color.org, and nobody wants a terminal's commands in a file.
  const coloured = Deno.stderr.isTerminal() && !Deno.noColor;
  const options = { timestamp: "time" } as const;
  const format = coloured
    ? getAnsiColorFormatter(options)
    : getTextFormatter(options);
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
