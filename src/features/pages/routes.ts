/**
 * The web app: a page at `/` for browsers, and what it is made of. It is no
 * part of the contract that programs rely on, and is not in `openapi.json`.
 *
 * @module
 */
import { takesGzip } from "../../http/accept.ts";
import { holdsAlready } from "../../http/range.ts";
import type { Raise } from "../../core/problem.ts";
import type { Parameter, RequestInfo } from "../../http/route.ts";
import {
  ABROAD_THREAD,
  policyReaching,
  type StaticFile,
} from "../../http/static_file.ts";
import { type App, route } from "../app.ts";
import { LONG_FILE_PROBLEMS, longFile } from "./long_file.ts";
import { mapRoutes } from "./map_routes.ts";

const HEADERS = [
  "Cache-Control",
  "Content-Encoding",
  "Content-Security-Policy",
  "Content-Type",
  "Cross-Origin-Opener-Policy",
  "Cross-Origin-Resource-Policy",
  "ETag",
  "Origin-Agent-Cluster",
  "Permissions-Policy",
  "Referrer-Policy",
  "Vary",
  "X-Frame-Options",
] as const;

const file = {
  method: "GET",
  credential: "none",
  forBrowsers: true,
  success: {
    200: { kind: "bytes", mediaType: "*/*", headers: HEADERS },
    304: { kind: "empty", headers: HEADERS },
  },
  problems: LONG_FILE_PROBLEMS,
} as const;

/** What names its build never changes; what does not is asked for each time. */
const FOR_EVER = "public, max-age=31536000, immutable";
const EACH_TIME = "no-cache";
const NEVER = "no-store";

/**
 * A link that was cut off before its id, or that has a slash at its end, as some
 * programs make it of a pasted one. The page takes the slash off, or says what
 * is wrong; programs find nothing here, as ever.
 */
const linkRoutes = ([["/s/", "viewer"], ["/u/", "upload"]] as const)
  .flatMap(([path, which]) => {
    const page = ({ documents }: App) => {
      const { headers, ...page } = documents.pages[which];
      return { ...page, headers: { ...headers, Vary: "Accept" } };
    };
    const link = {
      ...file,
      success: { 200: { kind: "bytes", mediaType: "text/html", page: true } },
    } as const;
    const operation = which === "viewer" ? "sharePage" : "uploadPage";
    return [
      route({
        ...link,
        operation,
        path: `${path}{opaque_id}/`,
        summary: "The page of a link whose address ends with a slash",
        params: { opaque_id: name("Of the link") },
      }).by(({ raise }) => {
        throw raise("error.request.route_unknown");
      }, page),
      route({
        ...link,
        operation: `${operation}OfNone`,
        path,
        summary: "The page of a link whose address ends before its id",
      }).by(({ raise }) => {
        throw raise("error.request.route_unknown");
      }, page),
    ];
  });

export const pageRoutes = [
  ...linkRoutes,
  ...mapRoutes,

  ...([["/", "appPage", "The web app"], [
    "/prove",
    "provePage",
    "The page that checks the proof of a photo",
  ]] as const).map(([path, operation, summary]) =>
    route({ ...file, operation, path, summary })
      .by(async ({ app, request, raise }) => {
        const page = app.documents.appFiles.get(path);
        // Programs find nothing here, as ever.
        if (page === undefined || !request.prefersHtml()) {
          throw raise("error.request.route_unknown");
        }
        return await sent(app, request, raise, page, {
          cacheControl: EACH_TIME,
          vary: "Accept, Accept-Encoding",
        });
      })
  ),

  ...([
    ["/sw.js", "appServiceWorker"],
    ["/app/manifest.webmanifest", "appManifest"],
    ["/app/files.json", "appFiles"],
  ] as const).map(([path, operation]) =>
    route({
      ...file,
      operation,
      path,
      summary: "A file of the web app that is asked for each time",
    }).by(async ({ app, request, raise }) => {
      const found = app.documents.appFiles.get(path);
      if (found === undefined) throw raise("error.request.route_unknown");
      return await sent(app, request, raise, found, {
        cacheControl: EACH_TIME,
      });
    })
  ),

  route({
    ...file,
    operation: "appFile",
    path: "/app/{build}/{file}",
    summary: "A file of a build of the web app",
    params: { build: name("Of the build"), file: name("Of the file") },
  }).by(async ({ app, request, params, raise }) => {
    const { build, file } = params;
    const found = app.documents.appFiles.get(`/app/${build}/${file}`);
    if (found === undefined) throw raise("error.request.route_unknown");
    if (file !== ABROAD_THREAD) {
      return await sent(app, request, raise, found, { cacheControl: FOR_EVER });
    }
    // Its policy changes with the pins, and not with the build.
    return await sent(app, request, raise, found, {
      cacheControl: NEVER,
      policy: policyReaching(
        app.documents.appFiles.policy,
        await app.documents.reachable(),
      ),
    });
  }),
];

/** Whatever it is: what has no such name is not here. */
function name(description: string): Parameter<string> {
  return {
    parse: (text) => text,
    schema: { type: "string" },
    description,
  };
}

interface How {
  readonly cacheControl: string;
  readonly vary?: string;
  readonly policy?: string;
}

/** The headers that keep a file to itself. */
function headersOf(
  app: App,
  {
    cacheControl,
    vary = "Accept-Encoding",
    policy = app.documents.appFiles.policy,
  }: How,
) {
  return {
    "Cache-Control": cacheControl,
    "Content-Security-Policy": policy,
    // Browsers pass it over on plain http, and complain.
    ...(app.server.serverId.startsWith("https:")
      ? {
        "Cross-Origin-Opener-Policy": "same-origin",
        "Origin-Agent-Cluster": "?1",
      }
      : {}),
    "Cross-Origin-Resource-Policy": "same-origin",
    // To scan the code of another device.
    "Permissions-Policy": "camera=(self), display-capture=(), " +
      "geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    Vary: vary,
    "X-Frame-Options": "DENY",
  };
}

/** A file with these headers. HEAD and 304 read nothing of it. */
async function sent(
  app: App,
  request: RequestInfo,
  raise: Raise<(typeof LONG_FILE_PROBLEMS)[number]>,
  file: StaticFile,
  how: How,
) {
  // Pictures are compressed already; so the doctor sees what a proxy does.
  const compressed = file.mediaType !== "image/png" &&
    takesGzip(request.header("accept-encoding"));
  const form = compressed ? file.gzip : file.plain;
  const etag = compressed ? `"${file.hash}-gzip"` : `"${file.hash}"`;
  const headers = { ...headersOf(app, how), ETag: etag };
  if (holdsAlready(request.header, etag)) {
    return { status: 304, headers } as const;
  }
  const bytes = request.isHead
    ? null
    : form.stream === undefined
    ? await form.bytes()
    : await longFile(app, request, raise, form.stream);
  return {
    status: 200,
    bytes,
    length: form.length,
    headers: {
      ...headers,
      "Content-Type": file.mediaType,
      ...(compressed ? { "Content-Encoding": "gzip" } : {}),
    },
  } as const;
}
