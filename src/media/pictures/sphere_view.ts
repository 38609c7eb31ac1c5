/**
 * Looking around in a panorama that is spread over a sphere: where one looks,
 * how a finger or a key turns that, and how far the picture goes. All angles are
 * degrees, all lengths pixels of the view.
 *
 * @module
 */
import type { Sphere } from "../exif/within.ts";
import type { Sides } from "./photo_edit.ts";

/** Where one looks. */
export interface Look {
  /** To the right of the middle of the sphere, -180 to 180. */
  readonly yaw: number;
  /** Upwards, -90 to 90. */
  readonly pitch: number;
  /** The angle across the longer side of the view. */
  readonly fov: number;
}

/** The part of a sphere that a picture shows, as shares of all of it. */
export type Area = Pick<Sphere, "left" | "top" | "width" | "height">;

const MOST_FOV = 110;
const LEAST_FOV = 20;
const FIRST_FOV = 90;
/** Near the poles a finger's way would turn for ever. */
const LEAST_COSINE = 0.2;
/** Cameras round: a pixel less is the whole sphere still. */
const WHOLE = 0.999;

const RADIANS = Math.PI / 180;
const tan = (degrees: number) => Math.tan(degrees * RADIANS);
const atan = (value: number) => Math.atan(value) / RADIANS;
const between = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, value));

/** Whether the picture goes all the way around. */
export function goesAround({ width }: Area): boolean {
  return width >= WHOLE;
}

/** How far away the picture is, if the view is as large as it is (pixels). */
export function focalOf(fov: number, { width, height }: Sides): number {
  return Math.max(width, height) / 2 / tan(fov / 2);
}

/** The angles from the middle of a view to its sides. */
export function halves(fov: number, sides: Sides) {
  const focal = focalOf(fov, sides);
  return {
    across: atan(sides.width / 2 / focal),
    up: atan(sides.height / 2 / focal),
  };
}

/** The largest angle at which a view is no larger than the picture. */
function mostFov(area: Area, sides: Sides): number {
  const { width, height } = sides;
  const longer = Math.max(width, height);
  const within = (degrees: number, side: number) =>
    degrees >= 180
      ? MOST_FOV
      : 2 * atan((longer / Math.max(1, side)) * tan(degrees / 2));
  return Math.min(
    MOST_FOV,
    within(180 * area.height, height),
    goesAround(area) ? MOST_FOV : within(360 * area.width, width),
  );
}

/** Where one looks, as far as the picture goes. */
export function clampedLook(look: Look, area: Area, sides: Sides): Look {
  const most = mostFov(area, sides);
  const fov = between(look.fov, Math.min(LEAST_FOV, most), most);
  const { across, up } = halves(fov, sides);
  const pitch = pitchWithin(look.pitch, area, up);
  if (goesAround(area)) {
    return { yaw: turnedOnce(look.yaw), pitch, fov };
  }
  const half = 180 * area.width;
  const middle = 360 * (area.left - 0.5) + half;
  const room = Math.max(0, half - spread(pitch, across, up));
  const yaw = middle +
    between(turnedOnce(look.yaw - middle), -room, room);
  return { yaw: turnedOnce(yaw), pitch, fov };
}

function pitchWithin(pitch: number, area: Area, up: number): number {
  const high = 90 - 180 * area.top;
  const low = high - 180 * area.height;
  // What ends at a pole has the other side of it, too.
  const most = high > 90 * WHOLE ? 90 : high - up;
  const least = low < -90 * WHOLE ? -90 : low + up;
  return least > most ? (low + high) / 2 : between(pitch, least, most);
}

/** How far a corner of the view is to the side; farther where it looks up. */
function spread(pitch: number, across: number, up: number): number {
  const corner = (y: number) =>
    Math.atan2(
      tan(across),
      Math.cos(pitch * RADIANS) - y * Math.sin(pitch * RADIANS),
    ) / RADIANS;
  return Math.max(corner(tan(up)), corner(-tan(up)));
}

/** An angle from -180 to 180. */
function turnedOnce(degrees: number): number {
  return degrees - 360 * Math.floor((degrees + 180) / 360);
}

/** Where one looks at first, as the camera says. */
export function firstLook(sphere: Sphere, sides: Sides): Look {
  const { heading: yaw, pitch } = sphere;
  return clampedLook({ yaw, pitch, fov: FIRST_FOV }, sphere, sides);
}

/** After a finger moved: what is below it goes along. */
export function dragged(
  look: Look,
  by: { readonly x: number; readonly y: number },
  sides: Sides,
): Look {
  const degrees = 1 / focalOf(look.fov, sides) / RADIANS;
  const cosine = Math.max(LEAST_COSINE, Math.cos(look.pitch * RADIANS));
  return {
    ...look,
    yaw: look.yaw - by.x * degrees / cosine,
    pitch: look.pitch + by.y * degrees,
  };
}

/** After a key or a button: a sixth of the view to the right and upwards. */
export function stepped(look: Look, right: number, up: number): Look {
  const step = look.fov / 6;
  return {
    ...look,
    yaw: look.yaw + right * step,
    pitch: look.pitch + up * step,
  };
}

/** Nearer by a factor, or farther below 1. */
export function zoomed(look: Look, factor: number): Look {
  return { ...look, fov: 2 * atan(tan(look.fov / 2) / factor) };
}

/** A share of the way from one look to another, the shorter way around. */
export function onTheWay(from: Look, to: Look, share: number): Look {
  return {
    yaw: turnedOnce(from.yaw + share * turnedOnce(to.yaw - from.yaw)),
    pitch: from.pitch + share * (to.pitch - from.pitch),
    fov: from.fov + share * (to.fov - from.fov),
  };
}

/** Whether two looks show the same pixels. */
export function isSame(a: Look, b: Look): boolean {
  return Math.abs(turnedOnce(a.yaw - b.yaw)) < 0.02 &&
    Math.abs(a.pitch - b.pitch) < 0.02 && Math.abs(a.fov - b.fov) < 0.02;
}

/** The sides of a picture with none above a limit. */
export function fittedSides({ width, height }: Sides, most: number): Sides {
  const by = Math.min(1, most / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * by)),
    height: Math.max(1, Math.round(height * by)),
  };
}

/**
 * How many times a picture of this width is to be halved, so that its pixels are
 * about as large as those of the view: a number for mipmaps, 0 or more.
 */
export function levelOf(
  pictureWidth: number,
  look: Look,
  area: Area,
  sides: Sides,
): number {
  const perRadian = pictureWidth / (area.width * 2 * Math.PI);
  return Math.max(0, Math.log2(perRadian / focalOf(look.fov, sides)));
}
