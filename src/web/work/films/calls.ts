/**
 * The calls of a film's thread, which opens one film and cuts it as the page
 * asks. If a hostile film takes too long to read, the page can end the thread.
 *
 * @module
 */
import { Moved } from "../../../client/threads/wire.ts";
import type { FilmCutter, OpenedFilm, Segment } from "./cutting.ts";
import { FilmReader } from "./reader.ts";

let cutter: FilmCutter | undefined;

function opened(): FilmCutter {
  if (cutter === undefined) throw new Error("no film is open");
  return cutter;
}

function moved(segments: readonly Segment[]): Moved<readonly Segment[]> {
  return new Moved(segments, segments.map(({ bytes }) => bytes));
}

/** The calls of the group `films`. */
export const filmCalls = {
  /** Opens a film whose bytes arrive over a port. */
  async open(size: number, port: MessagePort): Promise<OpenedFilm> {
    const { FilmCutter } = await import("./cutting.ts");
    cutter = await FilmCutter.open(new FilmReader(size, port));
    return cutter.opened;
  },
  begin: (tracks: readonly number[]) => moved(opened().begin(tracks)),
  seek: (seconds: number) => opened().seek(seconds),
  next: async () => moved(await opened().next()),
};
