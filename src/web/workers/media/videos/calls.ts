/**
 * The calls of a video's thread, which opens one video and cuts it as the page
 * asks. If a malicious video takes too long to read, the page can end the
 * thread.
 *
 * @module
 */
import { Moved } from "../../../../client/stream/threads/thread_messages.ts";
import type { OpenedVideo, Segment, VideoCutter } from "./cutting.ts";
import { VideoReader } from "./reader.ts";

let cutter: VideoCutter | undefined;

function opened(): VideoCutter {
  if (cutter === undefined) throw new Error("no video is open");
  return cutter;
}

function moved(segments: readonly Segment[]): Moved<readonly Segment[]> {
  return new Moved(segments, segments.map(({ bytes }) => bytes));
}

/** The calls of the group `videos`. */
export const videoCalls = {
  /** Opens a video whose bytes arrive over a port. */
  async open(size: number, port: MessagePort): Promise<OpenedVideo> {
    const { VideoCutter } = await import("./cutting.ts");
    cutter = await VideoCutter.open(new VideoReader(size, port));
    return cutter.opened;
  },
  begin: (tracks: readonly number[]) => moved(opened().begin(tracks)),
  seek: (seconds: number) => opened().seek(seconds),
  next: async () => moved(await opened().next()),
};
