/**
 * What clients make of the declarations. The server holds to them to the
 * letter; a client takes what a newer server may send as well.
 *
 * @module
 */
import * as z from "zod/mini";

/** A value as a client takes it: what may be absent may also be null. */
type Open<T> = T extends readonly (infer I)[] ? readonly Open<I>[]
  : T extends object ? {
      readonly [K in keyof T]: undefined extends T[K]
        ? Open<T[K]> | null | undefined
        : Open<T[K]>;
    }
  : T;

/** An answer as a client takes it, by its declaration. */
export type Opened<S extends z.ZodMiniType> = Open<z.output<S>>;

declare const opened: unique symbol;

/**
 * What a client reads an answer by. Only {@link open} makes one, so that the
 * compiler refuses an answer that is declared anywhere else.
 */
export type OpenSchema<T> = z.ZodMiniType<T> & { readonly [opened]: true };

/** A body as a client sends it, by its declaration. */
export type Sent<S extends z.core.$ZodType> = Unchanged<z.input<S>>;

type Unchanged<T> = T extends readonly (infer I)[] ? readonly Unchanged<I>[]
  : T extends object ? { readonly [K in keyof T]: Unchanged<T[K]> }
  : T;

const openSchemas = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/**
 * The declaration of an answer as a client reads it: at every depth unknown
 * keys are ignored, and what may be absent may also be null, unless it is
 * declared as exactly optional. Bounds, forms and words stay; where a newer
 * server may have more words, the caller extends the declaration first.
 */
export function open<S extends z.ZodMiniType>(
  schema: S,
): OpenSchema<Opened<S>> {
  return within(schema) as OpenSchema<Opened<S>>;
}

function within(schema: z.core.$ZodType): z.core.$ZodType {
  const held = openSchemas.get(schema);
  if (held !== undefined) return held;
  const made = reopened(schema as z.core.$ZodTypes);
  openSchemas.set(schema, made);
  return made;
}

function reopened(schema: z.core.$ZodTypes): z.core.$ZodType {
  const { def } = schema._zod;
  switch (def.type) {
    case "object": {
      const { catchall: _, ...rest } = def;
      const shape = Object.fromEntries(
        Object.entries(def.shape).map(([key, one]) => [key, within(one)]),
      );
      return z.clone(schema, { ...rest, shape });
    }
    case "array":
      return z.clone(schema, { ...def, element: within(def.element) });
    case "union":
      return z.clone(schema, { ...def, options: def.options.map(within) });
    case "nullable":
      return z.clone(schema, { ...def, innerType: within(def.innerType) });
    case "optional": {
      const value = within(def.innerType);
      const isExact = schema instanceof z.ZodMiniExactOptional;
      const innerType = isExact ? value : z.nullable(value);
      return z.clone(schema, { ...def, innerType });
    }
    default:
      return schema;
  }
}
