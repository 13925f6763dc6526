/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera_rt_conv: checks descriptors, and has the device convolve.
 * It must not know groups of ranks or messages, nor how a convolution is computed. */
#include "products/call.h"
#include "support/error.h"

/* ---- arguments ------------------------------------------------------------------------------- */

static tessera_status read_operands(const tr_call *call, const void *input, const void *filter,
                                    const void *output, tr_conv *conv) {
  const tessera_site *site = call->site;
  conv->input_type = (tessera_dtype)site->input_type;
  conv->output_type = (tessera_dtype)site->output_type;
  conv->overwrite = site->flags & TESSERA_SITE_OVERWRITE;
  conv->window = site->output_rank - TR_CONV_WINDOW;
  if (conv->window < 1 || site->input_rank != site->output_rank)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "a convolution of ranks %d and %d", site->input_rank,
                   site->output_rank);
  tessera_status status = tr_call_input(call, input, &conv->input);
  if (!status)
    status = tr_call_input(call, filter, &conv->filter);
  if (!status)
    status = tr_call_output(call, output, &conv->output);
  for (int32_t i = 0; !status && i < conv->window; i++) {
    conv->steps[i] = site->from[i];
    conv->dilations[i] = site->to[i];
  }
  return status ? status : tr_products_check_types(conv->input_type, conv->output_type);
}

/* How much of the input's window dimension `i` is read. */
static int64_t reach(const tr_conv *conv, int32_t i) {
  int64_t places = conv->output.sizes[TR_CONV_WINDOW + i];
  int64_t taps = conv->filter.sizes[TR_CONV_WINDOW + i];
  if (places == 0 || taps == 0)
    return 0;
  return (places - 1) * conv->steps[i] + (taps - 1) * conv->dilations[i] + 1;
}

static bool sizes_fit(const tr_conv *conv) {
  const int64_t *in = conv->input.sizes, *filter = conv->filter.sizes, *out = conv->output.sizes;
  bool fits = in[TR_CONV_BATCH] == out[TR_CONV_BATCH] && in[TR_CONV_GROUP] == out[TR_CONV_GROUP] &&
              in[TR_CONV_GROUP] == filter[TR_FILTER_GROUP] &&
              in[TR_CONV_INPUTS] == filter[TR_FILTER_INPUTS] &&
              out[TR_CONV_OUTPUTS] == filter[TR_FILTER_OUTPUTS];
  for (int32_t i = 0; fits && i < conv->window; i++)
    fits = reach(conv, i) <= in[TR_CONV_WINDOW + i];
  return fits;
}

/* An input that goes on where no window comes is cut to where one more place would begin, so that
 * its size says how many there are. */
static tessera_status check_sizes(tr_conv *conv) {
  char texts[3][128];
  if (!sizes_fit(conv))
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "an input of sizes %s and a filter of sizes %s do not give %s",
                   tr_view_text(&conv->input, texts[0], sizeof(texts[0])),
                   tr_view_text(&conv->filter, texts[1], sizeof(texts[1])),
                   tr_view_text(&conv->output, texts[2], sizeof(texts[2])));
  for (int32_t i = 0; i < conv->window; i++)
    if (conv->input.sizes[TR_CONV_WINDOW + i] >= reach(conv, i) + conv->steps[i])
      tr_view_narrow(&conv->input, TR_CONV_WINDOW + i, 0, reach(conv, i));
  return TESSERA_OK;
}

/* ---- the call -------------------------------------------------------------------------------- */

static tessera_status convolve(const tr_call *call, tessera_stream *stream, const tr_conv *conv) {
  const tr_device *device = call->context->world.device;
  tessera_status status = tr_products_begin(call->context);
  return status ? status : device->conv(device, stream, call->context->workspace, conv);
}

void tessera_rt_conv(const tessera_site *site, tessera_stream *stream, const void *input,
                     const void *filter, const void *output) {
  tr_call call;
  tr_conv conv;
  tr_call_begin_alone(site, &call);
  tessera_status status = read_operands(&call, input, filter, output, &conv);
  if (!status)
    status = check_sizes(&conv);
  if (!status && tr_view_elements(&conv.output) > 0)
    status = convolve(&call, stream, &conv);
  tr_call_end(&call, status, 0);
}
