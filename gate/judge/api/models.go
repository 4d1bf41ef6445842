package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
)

// Models are the models that a server on this machine lists, in its order; none
// when there is no such server. No key is sent.
func Models(ctx context.Context, endpoint *url.URL) []string {
	if !loopback(endpoint.Hostname()) {
		return nil
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, endpoint.JoinPath("/models").String(), nil)
	if err != nil {
		return nil
	}
	res, err := client().Do(req)
	if err != nil {
		return nil
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	var list struct{ Data []struct{ ID string } }
	if err != nil || res.StatusCode != http.StatusOK || json.Unmarshal(b, &list) != nil {
		return nil
	}
	var ids []string
	for _, m := range list.Data {
		if plain(m.ID) {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// plain reports whether a name can stand in config.yaml and on a terminal as it is.
func plain(name string) bool {
	for _, r := range name {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '.' && r != '_' && r != ':' && r != '/' {
			return false
		}
	}
	return name != "" && len(name) <= 100
}
