/**
 * Making a copy of a film that plays everywhere, with WebCodecs. mediabunny
 * reads and writes the containers. Only some seconds of the film are in memory;
 * what is made goes into Blobs, which a browser can keep on disk.
 *
 * @module
 */
import {
  canEncodeAudio,
  canEncodeVideo,
  Conversion,
  type ConversionAudioOptions,
  CustomSource,
  Input,
  type InputAudioTrack,
  type InputFormat,
  type InputVideoTrack,
  MATROSKA,
  MP4,
  Mp4OutputFormat,
  MPEG_TS,
  Output,
  QTFF,
  Quality,
  StreamTarget,
  WEBM,
} from "mediabunny";
import {
  bitsOf,
  FILM_MIME,
  type FilmFacts,
  type FilmKind,
  type FilmSides,
  fitsAs,
  playsEverywhere,
  sidesAs,
} from "../../../../library/showing/films.ts";
import type { VideoReader } from "../videos/reader.ts";
import { type BoundedFilm, boundedFilm } from "../videos/tables.ts";
import { BlobFile } from "./blob_file.ts";

/** Why no copy can be made here. */
export type NotMade =
  /** It is no film that this program can read. */
  | "unread"
  /** This browser does not decode its pictures. */
  | "undecoded"
  /** This browser does not decode its sound. */
  | "unheard"
  /** Browsers have WebCodecs over https alone. */
  | "insecure"
  /** This browser writes no H.264. */
  | "unencoded";

/** What looking into a film tells. */
interface FilmSeen extends FilmFacts, FilmSides {
  readonly seconds: number;
  /** Every browser plays it as it is. */
  readonly everywhere: boolean;
}

/** A copy that is wanted. */
export interface FilmWish {
  readonly kind: FilmKind;
  /** Even of a film that would do by itself: its file may tell a place. */
  readonly isNeeded: boolean;
}

/** A copy of a film. */
interface FilmMade extends FilmSides {
  readonly blob: Blob;
}

/** What became of a film. */
export type FilmOutcome =
  | { readonly made: FilmMade }
  | { readonly needless: true }
  | { readonly not: NotMade };

/** Between two frames from which a player can begin (seconds). */
const KEY_FRAME_S = 2;
const AUDIO_BITS = 128_000;
/** Codecs of sound that MP4 carries to every browser, as they are. */
const AUDIO_KEPT: readonly string[] = ["aac", "mp3"];
/** Those that are written, the first one that the browser has. */
const AUDIO_MADE = ["aac", "opus"] as const;

/** What a film may be, by its container: no lists of files elsewhere. */
const FORMATS: Readonly<Record<BoundedFilm["container"], InputFormat[]>> = {
  isobmff: [MP4, QTFF],
  matroska: [MATROSKA, WEBM],
  other: [MPEG_TS],
};

interface Opened {
  readonly input: Input;
  readonly video: InputVideoTrack;
  readonly audio: InputAudioTrack | null;
}

async function opened(reader: VideoReader): Promise<Opened | undefined> {
  const film = await boundedFilm(reader);
  if (film === undefined) return undefined;
  const input = new Input({
    formats: FORMATS[film.container],
    source: new CustomSource({
      getSize: () => film.size,
      read: (start, end) => film.read(start, end - start),
    }),
  });
  try {
    const video = await input.getPrimaryVideoTrack();
    if (video === null) return undefined;
    const audio = await input.getPrimaryAudioTrack();
    return { input, video, audio };
  } catch {
    // Another format, or a damaged one.
    return undefined;
  }
}

async function seenIn({ input, video, audio }: Opened): Promise<FilmSeen> {
  const format = await input.getFormat();
  const codec = await video.getCodec();
  const facts: FilmFacts = {
    container: format === MP4 ? "mp4" : format === QTFF ? "mov" : format.name,
    video: codec ?? undefined,
    audio: audio === null ? undefined : await audio.getCodec() ?? "unknown",
    deep: isDeep(await video.getCodecParameterString() ?? ""),
  };
  return {
    ...facts,
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    seconds: await input.computeDuration([video]),
    everywhere: playsEverywhere(facts),
  };
}

/** Whether an H.264 profile is one of those that few players decode. */
function isDeep(codec: string): boolean {
  // High 10, High 4:2:2, High 4:4:4.
  return /^avc[13]\.(?:6e|7a|f4)/i.test(codec);
}

/**
 * Makes a copy of a kind; `onProgress` gets how far it is, 0 to 1. A film that
 * needs none gives none, unless it must have one: one that plays everywhere and
 * is small enough.
 */
export async function makeCopy(
  reader: VideoReader,
  { kind, isNeeded }: FilmWish,
  onProgress: (done: number) => void,
): Promise<FilmOutcome> {
  const film = await opened(reader);
  if (film === undefined) return { not: "unread" };
  const { input, video, audio } = film;
  const seen = await seenIn(film);
  // What plays everywhere already is copied for links only to be smaller.
  const isSmall = fitsAs(kind, seen);
  const suffices = isSmall || kind === "playable";
  if (seen.everywhere && suffices && !isNeeded) {
    return { needless: true };
  }
  if (seen.video === undefined) return { not: "unread" };
  const sides = sidesAs(kind, seen);
  // Pictures that play everywhere stay as they are, in another container.
  const keeps = isSmall && seen.video === "avc" && seen.deep !== true;
  if (!keeps) {
    if (!await video.canDecode()) return { not: "undecoded" };
    if (!await canEncodeVideo("avc", sides)) return { not: "unencoded" };
  }
  const sound = audio === null ? {} : await soundOf(audio);
  if (sound === undefined) return { not: "unheard" };
  const file = new BlobFile(FILM_MIME);
  const output = new Output({
    // The tables stand at the end, as cameras write them: they grow with the
    // film, and need not be held.
    format: new Mp4OutputFormat({ fastStart: false }),
    target: new StreamTarget(file.writable(), { chunked: true }),
  });
  const stats = keeps ? undefined : await video.computePacketStats(200);
  const conversion = await Conversion.init({
    input,
    output,
    tracks: "primary",
    video: keeps ? {} : {
      ...sides,
      fit: "fill",
      codec: "avc",
      forceTranscode: true,
      keyFrameInterval: KEY_FRAME_S,
      quality: new Quality({
        bitrate: bitsOf(sides, stats?.averageBitrate),
      }),
    },
    audio: sound,
    // Where it was filmed stays with the original.
    tags: {},
    showWarnings: false,
  });
  const lost = conversion.discardedTracks.find(({ track }) =>
    track === video || track === audio
  );
  if (!conversion.isValid || lost !== undefined) {
    return { not: lost?.track === audio ? "unheard" : "undecoded" };
  }
  conversion.onProgress = (done) => onProgress(done);
  await conversion.execute();
  return { made: { blob: file.blob(), ...sides } };
}

/** How its sound comes along; undefined if this browser cannot do that. */
async function soundOf(
  audio: InputAudioTrack,
): Promise<ConversionAudioOptions | undefined> {
  const codec = await audio.getCodec();
  if (codec !== null && AUDIO_KEPT.includes(codec)) return {};
  if (codec === null || !await audio.canDecode()) return undefined;
  for (const made of AUDIO_MADE) {
    const quality = new Quality({ bitrate: AUDIO_BITS });
    const numberOfChannels = Math.min(2, await audio.getNumberOfChannels());
    if (await canEncodeAudio(made, { quality, numberOfChannels })) {
      return { codec: made, quality, numberOfChannels, forceTranscode: true };
    }
  }
  return undefined;
}
