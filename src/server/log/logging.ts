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
  getLogger,
  getTextFormatter,
  type LogLevel,
  type LogRecord,
} from "@logtape/logtape";
import type { Config } from "../../config.ts";
import type { Log } from "../../core/platform.ts";
import { isDiskFull } from "../../store/failure.ts";
import { isJournal, withSeverity } from "./journal_severities.ts";

/** How lines of the log look. */
export type LogStyle = "pretty" | "json";

/** The style that a format's name stands for. */
export function logStyle(format: string): LogStyle {
  if (format === "pretty" || format === "json") return format;
  return Deno.stderr.isTerminal() ? "pretty" : "json";
}

const CATEGORY = "strongroom";

/**
 * The program's log. A line of plain values in a log of JSON, as each request's
 * is, is written past LogTape, whose own way costs more than all else that a
 * small request needs; every other line takes that way.
 */
export class ProgramLog implements Log {
  readonly #logger = getLogger([CATEGORY]);

  debug(message: string, properties: Properties = {}): void {
    if (!plainly?.("debug", message, properties)) {
      this.#logger.debug(message, properties);
    }
  }

  info(message: string, properties: Properties = {}): void {
    if (!plainly?.("info", message, properties)) {
      this.#logger.info(message, properties);
    }
  }

  warn(message: string, properties: Properties = {}): void {
    if (!plainly?.("warning", message, properties)) {
      this.#logger.warn(message, properties);
    }
  }

  error(message: string, properties: Properties = {}): void {
    if (!plainly?.("error", message, properties)) {
      this.#logger.error(message, properties);
    }
  }
}

type Properties = Record<string, unknown>;

/** Writes a line if it is plain, and says whether it was. */
type Plainly = (
  level: LogLevel,
  message: string,
  properties: Properties,
) => boolean;

/** Set where lines are JSON. */
let plainly: Plainly | undefined;

/** Sends the program's log to standard error. */
export async function startLogging(config: Config): Promise<void> {
  const { STRONGROOM_LOG_FORMAT: format, STRONGROOM_LOG_LEVEL: level } = config;
  const style = logStyle(format);
  const line = style === "pretty"
    ? prettyFormatter()
    : getJsonLinesFormatter({ properties: "flatten" });
  const write = gatheringWriter();
  const journal = isJournal();
  plainly = style === "json" ? plainWriter(level, write, journal) : undefined;
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
      { category: [CATEGORY], lowestLevel: level, sinks: ["stderr"] },
      { category: ["logtape"], lowestLevel: "warning", sinks: ["stderr"] },
    ],
  });
}

/**
 * What the server says outside its log: that it started, or why it ended. In a
 * log of JSON that is a line of JSON too, else the words alone.
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
    logger: CATEGORY,
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
    try {
      while (at < bytes.length) at += Deno.stderr.writeSync(bytes.subarray(at));
    } catch (error) {
      // What a full disk does not take is lost, and the program goes on.
      if (!isDiskFull(error)) throw error;
    }
  };
  globalThis.addEventListener("unload", flush);
  return (line, urgent) => {
    gathered += line;
    if (urgent || gathered.length > GATHER_CHARACTERS) return flush();
    timer ??= setTimeout(flush, GATHER_MS);
  };
}

/**
 * LogTape's own lines, of plain values alone. LogTape looks into every value
 * for what JSON cannot hold, which takes several times as long.
 */
function plainWriter(
  lowest: LogLevel,
  write: (line: string, urgent: boolean) => void,
  journal: boolean,
): Plainly {
  const order = Object.keys(LEVELS);
  const written = new Set(order.slice(order.indexOf(lowest)));
  return (level, message, properties) => {
    if (!written.has(level)) return true;
    if (!isPlain(message)) return false;
    let line = `{"@timestamp":"${timestampNow()}","level":"${LEVELS[level]}",` +
      `"message":${JSON.stringify(message)},"logger":"${CATEGORY}"`;
    for (const name of Object.keys(properties)) {
      const value = properties[name];
      if (!isPlain(value)) return false;
      line += `,"${name}":${JSON.stringify(value)}`;
    }
    write(withSeverity(`${line}}\n`, level, journal), level === "error");
    return true;
  };
}

let stamped = { at: NaN, text: "" };

/** The instant as the log writes it; many lines are of one. */
function timestampNow(): string {
  const at = Date.now();
  if (at !== stamped.at) stamped = { at, text: new Date(at).toISOString() };
  return stamped.text;
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
  // https://no-color.org; and a file must not contain a terminal's commands.
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
