/**
 * Draws the inside of a sphere with WebGL: for each pixel of the view, a ray
 * says which place of the equirectangular picture it meets. `placeAt` in
 * `sphere_view_test.ts` has the same arithmetic.
 *
 * @module
 */
import type { Sides } from "../../../../media/pictures/photo_edit.ts";
import {
  type Area,
  focalOf,
  goesAround,
  levelOf,
  type Look,
} from "../../../../media/pictures/sphere_view.ts";

/**
 * Two triangles would have a seam; one that is larger than the view has none.
 */
const CORNERS = `#version 300 es
out vec2 point;
void main() {
  point = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(point, 0.0, 1.0);
}`;

const RAYS = `#version 300 es
precision highp float;
const float TURN = 6.283185307179586;
in vec2 point;
uniform sampler2D picture;
/** Radians. */
uniform vec2 look;
/** Half of the view, if the picture is 1 away. */
uniform vec2 extent;
/** Left, top, width, height. */
uniform vec4 area;
uniform float level;
out vec4 colour;
void main() {
  vec2 ray = point * extent;
  float forwards = cos(look.y) - ray.y * sin(look.y);
  float upwards = cos(look.y) * ray.y + sin(look.y);
  float longitude = look.x + atan(ray.x, forwards);
  float latitude = atan(upwards, length(vec2(ray.x, forwards)));
  vec2 place = vec2(
    fract(longitude / TURN + 0.5 - area.x),
    0.5 - latitude / TURN * 2.0 - area.y
  ) / area.zw;
  bool isBeside = place.x > 1.0 || place.y < -0.001 || place.y > 1.001;
  colour = isBeside ? vec4(0.0, 0.0, 0.0, 1.0) : textureLod(picture, place, level);
}`;

/** Draws one sphere into a canvas. */
export interface Painter {
  /** The longest side of a picture that the graphics take (pixels). */
  readonly most: number;
  /** Takes a picture of this part of the sphere. */
  take(picture: ImageBitmap, area: Area): void;
  /** Draws where one looks, if there is a picture; sides in device pixels. */
  draw(look: Look, sides: Sides): void;
  /** Gives the memory of the graphics back. */
  end(): void;
}

/** What draws into a canvas; undefined where there is no WebGL 2. */
export function painterOn(canvas: HTMLCanvasElement): Painter | undefined {
  const gl = canvas.getContext("webgl2", {
    alpha: false,
    antialias: false,
    depth: false,
    powerPreference: "low-power",
  });
  if (gl === null) return undefined;
  const program = programOf(gl);
  if (program === undefined) return undefined;
  const of = (name: string) => gl.getUniformLocation(program, name);
  const [look, extent, area, level] = [
    of("look"),
    of("extent"),
    of("area"),
    of("level"),
  ];
  let shown: { readonly width: number; readonly area: Area } | undefined;
  gl.useProgram(program);
  return {
    most: gl.getParameter(gl.MAX_TEXTURE_SIZE),
    take(picture, part) {
      shown = { width: picture.width, area: part };
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      const set = (name: number, value: number) =>
        gl.texParameteri(gl.TEXTURE_2D, name, value);
      set(gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
      // All the way around, the last column is next to the first one.
      set(
        gl.TEXTURE_WRAP_S,
        goesAround(part) ? gl.REPEAT : gl.CLAMP_TO_EDGE,
      );
      set(gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
      gl.texImage2D(
        gl.TEXTURE_2D,
        0,
        gl.RGBA,
        gl.RGBA,
        gl.UNSIGNED_BYTE,
        picture,
      );
      gl.generateMipmap(gl.TEXTURE_2D);
      // A camera that rounds leaves no gap.
      const width = goesAround(part) ? 1 : part.width;
      gl.uniform4f(area, part.left, part.top, width, part.height);
    },
    draw(at, sides) {
      if (shown === undefined) return;
      const focal = focalOf(at.fov, sides);
      gl.viewport(0, 0, sides.width, sides.height);
      gl.uniform2f(look, at.yaw * Math.PI / 180, at.pitch * Math.PI / 180);
      gl.uniform2f(extent, sides.width / 2 / focal, sides.height / 2 / focal);
      gl.uniform1f(level, levelOf(shown.width, at, shown.area, sides));
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    },
    end: () => gl.getExtension("WEBGL_lose_context")?.loseContext(),
  };
}

function programOf(gl: WebGL2RenderingContext): WebGLProgram | undefined {
  const program = gl.createProgram();
  const parts = [
    [gl.VERTEX_SHADER, CORNERS],
    [gl.FRAGMENT_SHADER, RAYS],
  ] as const;
  for (const [kind, source] of parts) {
    const shader = gl.createShader(kind);
    if (shader === null) return undefined;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  const isLinked = gl.getProgramParameter(program, gl.LINK_STATUS) === true;
  return isLinked ? program : undefined;
}
