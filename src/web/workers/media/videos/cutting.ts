/**
 * Cutting an MP4 or QuickTime video into segments for the browser's Media
 * Source, from any second on. mp4box reads the video's tables and writes the
 * segments. Only the bytes of the next segments are read.
 *
 * @module
 */
import {
  createFile,
  DataStream,
  type ISOFile,
  Log,
  MP4BoxBuffer,
  type Sample,
} from "mp4box";
import type { PlainSource } from "../../../../client/stream/sealed_source.ts";
import { VideoError } from "./reader.ts";
import { tablesOf } from "./tables.ts";

/** A segment ends when either is reached. */
const SEGMENT_S = 2;
const SEGMENT_BYTES = 2 * 1024 * 1024;
/** The first segment after a seek is shorter, because someone waits for it. */
const FIRST_SEGMENT_S = 0.5;
/** Largest sum of the samples of a segment (bytes). */
const MOST_SEGMENT_BYTES = 64 * 1024 * 1024;
/** Samples with a smaller gap between them are read together (bytes). */
const GAP_BYTES = 256 * 1024;

/** One of a video's tracks. */
interface VideoTrack {
  readonly id: number;
  readonly kind: "video" | "audio";
  /** The media type with its codec, for Media Source. */
  readonly type: string;
}

/** The facts about a video before it is played. */
export interface OpenedVideo {
  readonly seconds: number;
  readonly tracks: readonly VideoTrack[];
}

/** A part of a track. */
export interface Segment {
  readonly track: number;
  readonly bytes: ArrayBuffer;
}

interface Cut {
  readonly id: number;
  readonly samples: readonly Sample[];
  next: number;
}

/** Cuts one video. */
export class VideoCutter {
  #cuts: Cut[] = [];
  #isFirst = true;

  private constructor(
    private readonly file: ISOFile,
    private readonly reader: PlainSource,
    readonly opened: OpenedVideo,
  ) {}

  /**
   * Reads the tables, wherever they are in the video. Throws VideoError for any
   * other file.
   */
  static async open(reader: PlainSource): Promise<VideoCutter> {
    // mp4box's messages about a video do not belong in a console.
    Log.setLogLevel(() => {});
    const file = createFile();
    let opened: OpenedVideo | undefined;
    file.onReady = (info) => {
      if (info.isFragmented) return;
      const { timescale, duration } = info;
      opened = {
        seconds: duration / timescale,
        tracks: [
          ...info.videoTracks.map((track) => ["video", track] as const),
          ...info.audioTracks.map((track) => ["audio", track] as const),
        ].filter(([, { nb_samples: samples }]) => samples > 0)
          .map(([kind, { id, codec }]) => ({
            id,
            kind,
            // WebKit knows Opus in small letters only.
            type: `${kind}/mp4; codecs="${codec === "Opus" ? "opus" : codec}"`,
          })),
      };
    };
    const tables = await tablesOf(reader);
    file.appendBuffer(MP4BoxBuffer.fromArrayBuffer(tables.buffer, 0));
    if (opened === undefined) throw new VideoError("it has no tables");
    if (opened.tracks.length === 0) throw new VideoError("nothing to play");
    return new VideoCutter(file, reader, opened);
  }

  /** The initialisation segments of these tracks, for Media Source. */
  begin(tracks: readonly number[]): Segment[] {
    for (const id of tracks) {
      this.file.setSegmentOptions(id, undefined, { nbSamples: 1_000 });
      const samples = this.file.getTrackSamplesInfo(id);
      this.#cuts.push({ id, samples, next: 0 });
    }
    tellOneRate(this.file);
    return this.file.initializeSegmentation("per-track")
      .map(({ id, buffer }) => ({ track: id, bytes: plainBuffer(buffer) }));
  }

  /** Continues at the last key frame before that second. */
  seek(seconds: number): void {
    const [lead] = this.#cuts;
    if (lead === undefined) return;
    let at = indexAt(lead.samples, seconds);
    while (at > 0 && lead.samples[at]?.is_sync !== true) at -= 1;
    lead.next = at;
    const from = startOf(lead.samples[at]);
    for (const cut of this.#cuts.slice(1)) {
      cut.next = indexAt(cut.samples, from);
    }
    this.#isFirst = true;
  }

  /** The next segment of each track; none at the end. */
  async next(): Promise<Segment[]> {
    const [lead] = this.#cuts;
    if (lead === undefined) return [];
    const most = this.#isFirst ? FIRST_SEGMENT_S : SEGMENT_S;
    this.#isFirst = false;
    const begun = startOf(lead.samples[lead.next]);
    let [end, bytes] = [lead.next, 0];
    for (; end < lead.samples.length; end++) {
      const sample = lead.samples[end];
      const enough = end > lead.next &&
        (bytes >= SEGMENT_BYTES || startOf(sample) - begun >= most);
      if (sample === undefined || enough) break;
      bytes += sample.size;
    }
    const until = startOf(lead.samples[end]);
    const ranges = this.#cuts.map((cut) => {
      let last = end;
      if (cut !== lead) {
        last = end < lead.samples.length
          ? Math.max(cut.next, indexAt(cut.samples, until))
          : cut.samples.length;
      }
      return { cut, first: cut.next, last };
    }).filter(({ first, last }) => first < last);
    await this.#load(
      ranges.flatMap(({ cut, first, last }) => cut.samples.slice(first, last)),
    );
    return ranges.map(({ cut, first, last }) => {
      const stream = this.file.createFragment(
        cut.id,
        first,
        last - 1,
        new DataStream(),
      );
      for (let n = first; n < last; n++) {
        const sample = cut.samples[n];
        if (sample !== undefined) delete sample.data;
      }
      cut.next = last;
      return { track: cut.id, bytes: plainBuffer(stream.buffer) };
    });
  }

  /** Reads samples; neighbouring ones are read together. */
  async #load(samples: readonly Sample[]): Promise<void> {
    const inOrder = samples.toSorted((a, b) => a.offset - b.offset);
    const total = inOrder.reduce((sum, { size }) => sum + size, 0);
    if (!(total <= MOST_SEGMENT_BYTES)) throw new VideoError("it is too large");
    for (let n = 0; n < inOrder.length;) {
      const begun = n;
      const from = inOrder[n]?.offset ?? 0;
      let to = from;
      for (; n < inOrder.length; n++) {
        const sample = inOrder[n];
        if (sample === undefined || sample.offset - to > GAP_BYTES) break;
        to = Math.max(to, sample.offset + sample.size);
      }
      const bytes = await this.reader.read(from, to - from);
      for (const sample of inOrder.slice(begun, n)) {
        const at = sample.offset - from;
        // Copied, because mp4box uses the whole buffer of an array.
        sample.data = bytes.slice(at, at + sample.size);
        sample.alreadyRead = sample.size;
      }
    }
  }
}

/**
 * Chromium's Media Source refuses Opus whose box names another rate of the
 * recording than the 48 kHz of its track, as after a conversion from 44.1 kHz.
 * The rate of the recording only informs, so the track's rate replaces it (RFC
 * 7845, section 5.1).
 */
function tellOneRate(file: ISOFile): void {
  const entries = file.moov.traks.flatMap(({ mdia }) =>
    mdia.minf.stbl.stsd.entries
  );
  for (const entry of entries) {
    for (const box of entry.boxes ?? []) {
      if ("InputSampleRate" in box) box.InputSampleRate = entry.getSampleRate();
    }
  }
}

/** The last sample that begins before a second, or else the first one. */
function indexAt(samples: readonly Sample[], seconds: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (startOf(samples[middle]) <= seconds) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function startOf(sample: Sample | undefined): number {
  return sample === undefined ? Infinity : sample.dts / sample.timescale;
}

/**
 * A plain ArrayBuffer, because mp4box's own class cannot be passed to another
 * thread.
 */
function plainBuffer(buffer: ArrayBuffer): ArrayBuffer {
  return new Uint8Array(new Uint8Array(buffer)).buffer;
}
