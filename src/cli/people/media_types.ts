export { mediaTypeOf } from "../../client/media_types.ts";
