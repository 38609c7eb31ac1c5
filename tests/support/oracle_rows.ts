/**
 * Conditional and range requests that nginx and ours are both asked, and the
 * sentences that let their answers differ.
 *
 * A placeholder stands for each server's own word: `<etag>`, `<date>` (its
 * Last-Modified; `<rfc850>` and `<asctime>` in the obsolete forms), `<older>`
 * and `<newer>` (a second from it), `<length>`, `<last>` and `<half>`.
 *
 * @module
 */

/** Why our answer is not nginx's, and whose it is then. */
interface Difference {
  /** The sentence that says so, and where it stands. */
  readonly because: string;
  /** Whether it bears on what nginx answers. */
  readonly where: (
    theirs: { readonly status: number; readonly isMultipart: boolean },
  ) => boolean;
  /** The request that nginx answers as ours has to answer this one. */
  readonly asIf: (lines: readonly string[]) => readonly string[];
}

/** A request; without `differs` both answers are the same. */
export interface Row {
  readonly method: "GET" | "HEAD";
  readonly lines: readonly string[];
  readonly differs?: Difference;
}

/** Leaves headers out of a request. */
export function withoutHeaders(...names: readonly string[]) {
  return (lines: readonly string[]) =>
    lines.filter((line) =>
      !names.some((name) =>
        line.toLowerCase().startsWith(`${name.toLowerCase()}:`)
      )
    );
}

const NOT_APPLICABLE: Difference = {
  because:
    "protocol/transport.md#conditions-and-ranges: a Range that cannot be " +
    "applied is ignored and the whole is sent",
  where: ({ status }) => status === 416,
  asIf: withoutHeaders("Range"),
};

const ONE_PART: Difference = {
  because:
    "protocol/transport.md#conditions-and-ranges: one part or the whole, " +
    "never multipart",
  where: ({ isMultipart }) => isMultipart,
  asIf: withoutHeaders("Range"),
};

/** nginx sends the one range of several that has bytes. */
const ONE_RANGE: Difference = {
  because:
    "protocol/transport.md#conditions-and-ranges: one part or the whole; " +
    "RFC 9110 14.2: A server MAY ignore the Range header field",
  where: ({ status }) => status === 206,
  asIf: withoutHeaders("Range"),
};

const HEAD_IGNORES_RANGE: Difference = {
  because: "protocol/transport.md#conditions-and-ranges: HEAD ignores Range",
  where: ({ status }) => status === 206 || status === 416,
  asIf: withoutHeaders("Range"),
};

const NOT_LOOKED_AT: Difference = {
  because: "protocol/transport.md#conditions-and-ranges: If-Match and " +
    "If-Unmodified-Since are not looked at",
  where: ({ status }) => status === 412,
  asIf: withoutHeaders("If-Match", "If-Unmodified-Since"),
};

/** nginx reads white space that the grammar does not have. */
const NOT_IN_THE_GRAMMAR: Difference = {
  because: "RFC 9110 14.2: A server that supports range requests MAY ignore " +
    "or reject a Range header field that contains an invalid " +
    "ranges-specifier; protocol/transport.md#conditions-and-ranges: ignored",
  where: ({ status }) => status === 206,
  asIf: withoutHeaders("Range"),
};

/** nginx refuses numbers that it cannot hold. */
const REMAINDER: Difference = {
  because: "RFC 9110 14.1.2: If the last-pos value is [...] greater than or " +
    "equal to the current length [...], the byte range is interpreted as " +
    "the remainder of the representation; a suffix alike",
  where: ({ status }) => status === 416,
  asIf: (lines) => lines.map((line) => line.replace(/\d*-9+$/, "0-")),
};

/** nginx has both conditions hold. */
const SINCE_IGNORED: Difference = {
  because: "RFC 9110 13.1.3: A recipient MUST ignore If-Modified-Since if " +
    "the request contains an If-None-Match header field",
  where: () => true,
  asIf: withoutHeaders("If-Modified-Since"),
};

/** nginx stops reading a date after its seconds. */
const NOT_A_DATE: Difference = {
  because: "RFC 9110 13.1.3: A recipient MUST ignore the If-Modified-Since " +
    "header field if the received field value is not a valid HTTP-date",
  where: ({ status }) => status === 304,
  asIf: withoutHeaders("If-Modified-Since"),
};

function row(
  method: Row["method"],
  lines: string | readonly string[],
  differs?: Difference,
): Row {
  return {
    method,
    lines: typeof lines === "string" ? [lines] : lines,
    ...(differs === undefined ? {} : { differs }),
  };
}

const get = (lines: string | readonly string[], differs?: Difference) =>
  row("GET", lines, differs);
const head = (lines: string | readonly string[], differs?: Difference) =>
  row("HEAD", lines, differs);

const PART = "Range: bytes=0-<half>";

const RANGES: readonly Row[] = [
  get([]),
  get("Range: bytes=0-0"),
  get("Range: bytes=0-<half>"),
  get("Range: bytes=<half>-<last>"),
  get("Range: bytes=<last>-<last>"),
  get("Range: bytes=0-<last>"),
  get("Range: bytes=0-<length>"),
  get("Range: bytes=<half>-9007199254740993"),
  get("Range: bytes=0-"),
  get("Range: bytes=<half>-"),
  get("Range: bytes=<last>-"),
  get("Range: bytes=-1"),
  get("Range: bytes=-<half>", NOT_APPLICABLE),
  get("Range: bytes=-<length>"),
  get("Range: bytes=-<length>0"),
  get("Range: bytes=-0", NOT_APPLICABLE),
  get("Range: bytes=-", NOT_APPLICABLE),
  get("Range: bytes=<length>-", NOT_APPLICABLE),
  get("Range: bytes=<length>-<length>", NOT_APPLICABLE),
  get("Range: bytes=<length>00-<length>99", NOT_APPLICABLE),
  get("Range: bytes=9-2", NOT_APPLICABLE),
  get("Range: bytes=<length>-0", NOT_APPLICABLE),
  get("Range: bytes=0-99999999999999999999", REMAINDER),
  get(`Range: bytes=0-${"9".repeat(400)}`, REMAINDER),
  get("Range: bytes=-99999999999999999999", REMAINDER),
  get("Range: bytes=99999999999999999999-", NOT_APPLICABLE),
  get("Range: bytes=000-000"),
  get("Range: BYTES=0-0"),
  get("Range: bytes=0-0,<last>-<last>", ONE_PART),
  get("Range: bytes=0-0, -1", ONE_PART),
  get("Range: bytes=0-0,0-0", ONE_PART),
  get("Range: bytes=0-<last>,0-<last>"),
  get("Range: bytes=0-0,<length>-", ONE_RANGE),
  get("Range: bytes=<length>-,<length>-", NOT_APPLICABLE),
  get("Range: bytes=0-0,", NOT_APPLICABLE),
  get("Range: bytes=,0-0", NOT_APPLICABLE),
  get("Range: bytes=0-0,x", NOT_APPLICABLE),
  get("Range:   bytes=0-0  "),
  get("Range: bytes= 0-0", NOT_IN_THE_GRAMMAR),
  get("Range: bytes=0 - 0", NOT_IN_THE_GRAMMAR),
  get("Range: bytes=\t0-0", NOT_APPLICABLE),
  get("Range: bytes =0-0"),
  get("Range: bytes=\u00a00-0", NOT_APPLICABLE),
  get("Range: bytes=0-0\u00a0", NOT_APPLICABLE),
  get("Range:"),
  get("Range: bytes"),
  get("Range: bytes="),
  get("Range: bytes=a-b", NOT_APPLICABLE),
  get("Range: bytes=0x0-0x9", NOT_APPLICABLE),
  get("Range: bytes=+0-9", NOT_APPLICABLE),
  get("Range: bytes=0--0", NOT_APPLICABLE),
  get("Range: bytes=0-0-0", NOT_APPLICABLE),
  get("Range: bytes=0-0 junk", NOT_APPLICABLE),
  get("Range: 0-0"),
  get("Range: items=0-0"),
  get("Range: bytes:0-0"),
  head([]),
  head("Range: bytes=0-0", HEAD_IGNORES_RANGE),
  head("Range: bytes=<length>-", HEAD_IGNORES_RANGE),
  head("Range: items=0-0"),
];

const CONDITIONS: readonly Row[] = [
  get("If-None-Match: <etag>"),
  head("If-None-Match: <etag>"),
  get("If-None-Match: W/<etag>"),
  get("If-None-Match: *"),
  get('If-None-Match: "other"'),
  head('If-None-Match: "other"'),
  get('If-None-Match: "other", <etag>'),
  get('If-None-Match: <etag> , "other"'),
  get('If-None-Match: W/"other",,W/<etag>'),
  get('If-None-Match: "one,two", <etag>'),
  get('If-None-Match: "one", W/"two"'),
  get('If-None-Match: "other" <etag>'),
  get("If-None-Match: <etag> junk"),
  get("If-None-Match: w/<etag>"),
  get("If-None-Match: x<etag>"),
  get("If-None-Match: <etag>x"),
  get('If-None-Match: *, "other"'),
  get("If-None-Match:"),
  get("If-Modified-Since: <date>"),
  head("If-Modified-Since: <date>"),
  get("If-Modified-Since: <older>"),
  head("If-Modified-Since: <older>"),
  get("If-Modified-Since: <newer>"),
  get("If-Modified-Since: <rfc850>"),
  get("If-Modified-Since: <asctime>"),
  get("If-Modified-Since: Fri, 31 Dec 2100 23:59:59 GMT"),
  get("If-Modified-Since: Tue, 30 Feb 2100 00:00:00 GMT"),
  get("If-Modified-Since: Fri, 31 Dec 2100 24:00:00 GMT"),
  get("If-Modified-Since: Fri, 31 Foo 2100 23:59:59 GMT"),
  get("If-Modified-Since: 2100-12-31T23:59:59Z"),
  get("If-Modified-Since: tomorrow"),
  get("If-Modified-Since: 4133980799"),
  get("If-Modified-Since:"),
  get("If-Modified-Since: <newer>; length=1", NOT_A_DATE),
  get(["If-None-Match: <etag>", "If-Modified-Since: <date>"]),
  get(["If-None-Match: <etag>", "If-Modified-Since: <older>"], SINCE_IGNORED),
  get(["If-None-Match: <etag>", "If-Modified-Since: never"], SINCE_IGNORED),
  get(['If-None-Match: "other"', "If-Modified-Since: <date>"]),
  get(['If-None-Match: "other"', "If-Modified-Since: <newer>"]),
  get("If-Match: <etag>"),
  get('If-Match: "other"', NOT_LOOKED_AT),
  head('If-Match: "other"', NOT_LOOKED_AT),
  get("If-Unmodified-Since: <date>"),
  get("If-Unmodified-Since: <older>", NOT_LOOKED_AT),
  get(['If-Match: "other"', "If-None-Match: <etag>"], NOT_LOOKED_AT),
  get(['If-Match: "other"', PART], NOT_LOOKED_AT),
];

const BOTH: readonly Row[] = [
  get([PART, "If-None-Match: <etag>"]),
  get([PART, 'If-None-Match: "other"']),
  get([PART, "If-Modified-Since: <date>"]),
  get([PART, "If-Modified-Since: <older>"]),
  get([PART, "If-Range: <etag>"]),
  get([PART, "If-Range:   <etag>  "]),
  get([PART, "If-Range: W/<etag>"]),
  get([PART, 'If-Range: "other"']),
  get([PART, 'If-Range: <etag>, "other"']),
  get([PART, "If-Range: *"]),
  get([PART, "If-Range:"]),
  get([PART, "If-Range: <date>"]),
  get([PART, "If-Range: <rfc850>"]),
  get([PART, "If-Range: <asctime>"]),
  get([PART, "If-Range: <older>"]),
  get([PART, "If-Range: <newer>"]),
  get([PART, "If-Range: yesterday"]),
  get("If-Range: <etag>"),
  get('If-Range: "other"'),
  get(["Range: bytes=<length>-", "If-Range: <etag>"], NOT_APPLICABLE),
  get(["Range: bytes=<length>-", 'If-Range: "other"']),
  get(["Range: bytes=<length>-", "If-None-Match: <etag>"]),
  get(["Range: bytes=0-0,-1", "If-Range: <etag>"], ONE_PART),
  get(["Range: bytes=0-0,-1", "If-Range: <older>"]),
  get([PART, "If-Range: <etag>", "If-None-Match: <etag>"]),
  get([PART, "If-Range: <etag>", 'If-None-Match: "other"']),
  get([PART, "If-Range: <date>", "If-Modified-Since: <older>"]),
  get([PART, 'If-Range: "other"', "If-Modified-Since: <date>"]),
  head([PART, "If-Range: <etag>"], HEAD_IGNORES_RANGE),
  head([PART, 'If-Range: "other"']),
  head([PART, "If-None-Match: <etag>"]),
];

export const REQUESTS: readonly Row[] = [...RANGES, ...CONDITIONS, ...BOTH];
